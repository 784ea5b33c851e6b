import type { ConcreteClass } from '@evenkeel/core';
import { RunServices } from '@evenkeel/core';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { Injection, InjectionPlan, ListerRequest, Recipe, RunParameters, ServiceKey } from './injection.ts';
import type { LifeCycle } from './life-cycle.ts';
import { makeValue } from './make-value.ts';

/** A reconcile or finalizer method of an instance. */
type RunMethod = (object: unknown, context: ReconcileContext) => unknown;

export interface RunScopeOptions {
  readonly plan: InjectionPlan;
  /** Creates a value that all runs share. */
  readonly singleton: (key: ServiceKey) => Promise<unknown>;
  readonly listerFor: (request: ListerRequest) => unknown;
  /** Creates the life cycle of the values of one run. */
  readonly lifeCycle: (context: ReconcileContext) => LifeCycle;
}

/**
 * The values that are created in each run. Each call of a method gets its own, so concurrent runs share none. Within a call, each
 * is created once, when it is first needed, and all end in reverse order after the method has returned or thrown.
 */
export class RunScope {
  readonly #options: RunScopeOptions;
  /** The injected values that all runs share. */
  readonly #shared = new Map<Injection, unknown>();

  private constructor(options: RunScopeOptions) {
    this.#options = options;
  }

  /** Creates the singletons that the values of a run need. */
  static async create(options: RunScopeOptions): Promise<RunScope> {
    const scope = new RunScope(options);
    const { plan, singleton, listerFor } = options;
    const wanted = [...plan.runs.values()].flatMap(({ injections }) => [...injections.values()].flat());
    const asked = new Set(wanted);
    // Iterating a set includes entries that are added meanwhile.
    for (const injection of asked) {
      const recipe = scope.#recipeOf(injection);
      for (const next of recipe?.dependencies ?? []) asked.add(next);
      if (recipe !== undefined || isContext(injection)) continue;
      if ('service' in injection) scope.#shared.set(injection, await singleton(injection.service));
      else scope.#shared.set(injection, 'lister' in injection ? listerFor(injection.lister) : injection.value);
    }
    return scope;
  }

  /** Returns the method with the values of its run as further parameters. */
  around(controllerClass: ConcreteClass, name: string, method: (...values: unknown[]) => unknown): RunMethod {
    const parameters = this.#options.plan.runs.get(controllerClass);
    const injections = parameters?.injections.get(name) ?? [];
    if (parameters === undefined || injections.length === 0) return method;
    return (object, context) =>
      this.#during(context, injections, (values) => method(object, context, ...asArguments(parameters, values)));
  }

  async #during(
    context: ReconcileContext,
    injections: readonly Injection[],
    call: (values: readonly unknown[]) => unknown,
  ): Promise<unknown> {
    const lifeCycle = this.#options.lifeCycle(context);
    const made = new Map<ServiceKey, Promise<unknown>>();
    const valueFor = (injection: Injection): unknown => {
      if (isContext(injection)) return context;
      const recipe = this.#recipeOf(injection);
      if (recipe === undefined) return this.#shared.get(injection);
      const value = made.get(recipe.key) ?? make(recipe);
      made.set(recipe.key, value);
      return value;
    };
    const make = async (recipe: Recipe): Promise<unknown> => {
      const values: unknown[] = [];
      for (const injection of recipe.dependencies ?? []) values.push(await valueFor(injection));
      return makeValue(recipe, values, lifeCycle);
    };
    try {
      const values: unknown[] = [];
      for (const injection of injections) values.push(await valueFor(injection));
      return await call(values);
    } finally {
      await lifeCycle.end();
    }
  }

  /** The recipe of a value that is created in each run. */
  #recipeOf(injection: Injection): Recipe | undefined {
    const recipe = 'service' in injection ? this.#options.plan.recipes.get(injection.service) : undefined;
    return recipe?.scope === 'run' ? recipe : undefined;
  }
}

function isContext(injection: Injection): boolean {
  return 'service' in injection && injection.service === ReconcileContext;
}

/** A function controller gets the values by name, a method one after another. */
function asArguments({ names }: RunParameters, values: readonly unknown[]): readonly unknown[] {
  if (names === undefined) return values;
  return [new RunServices(Object.fromEntries(names.map((name, index) => [name, values[index]])))];
}
