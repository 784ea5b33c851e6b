import { type AnyClass, type ConcreteClass, EvenkeelError, nameOfService } from '@evenkeel/core';
import { Container, type ServiceIdentifier } from 'inversify';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { Injection, Instances, ListerRequest, Recipe, ServiceKey } from './injection.ts';
import { tellInversify } from './inversify-inject.ts';
import { hooksOf } from './inversify-metadata.ts';
import { hookFailed, hookName, type LifeCycle } from './life-cycle.ts';
import { makeSingleton } from './make-value.ts';
import type { WiringContents } from './wiring-contents.ts';

/**
 * Values that a container of inversify creates. It resolves the parameters of the classes that only its decorators describe, and
 * what its modules bind.
 */
export class InversifyInstances implements Instances {
  readonly #container: Container;
  readonly #lifeCycle: LifeCycle;
  readonly #listerFor: (request: ListerRequest) => unknown;
  /** The classes of which inversify has not created the instance yet. */
  readonly #unmade = new Set<ConcreteClass>();

  constructor({ plan, values, modules, listerFor, lifeCycle }: WiringContents) {
    this.#container = modules?.container ?? new Container();
    this.#lifeCycle = lifeCycle;
    this.#listerFor = listerFor;
    for (const [type, value] of values) this.#bind(type).toConstantValue(value);
    this.#bind(ReconcileContext).toDynamicValue(() => onlyInRun(ReconcileContext));
    for (const key of modules?.keys ?? []) if (!plan.recipes.has(key)) this.#endWithUs(key);
    for (const recipe of plan.recipes.values()) this.#add(recipe);
  }

  get(key: ServiceKey): Promise<unknown> {
    return this.#lifeCycle.waitFor(
      () => this.#container.getAsync(key as ServiceIdentifier).catch((error: unknown) => this.#reject(error)),
      () => this.#hooks().map(([type, name]) => hookName(type, name)),
    );
  }

  dispose(abort?: AbortSignal): Promise<boolean> {
    return this.#lifeCycle.end(abort);
  }

  /** Binds a recipe. It replaces what a module bound. */
  #add(recipe: Recipe): void {
    const { key, provision, scope, dependencies } = recipe;
    if (scope === 'run') {
      this.#bind(key).toDynamicValue(() => onlyInRun(key));
      return;
    }
    if (dependencies !== undefined) {
      this.#bind(key)
        .toResolvedValue(
          (...values: unknown[]) => makeSingleton(recipe, values, this.#lifeCycle),
          dependencies.map(this.#identifierOf),
        )
        .inSingletonScope();
      return;
    }
    if (provision.as !== 'class') throw new Error('bug: only classes have parameters that inversify resolves');
    // Inversify calls its hooks, by its own rules for base classes.
    const { target } = provision;
    this.#unmade.add(target);
    tellInversify(target);
    this.#bind(target).to(target).inSingletonScope();
    this.#endWithUs(target, () => this.#unmade.delete(target));
  }

  /** Ends what inversify has created for an identifier, in the reverse order of the creation of all values. */
  #endWithUs(key: ServiceKey, made: () => void = () => {}): void {
    let isKnown = false;
    this.#container.onActivation(key as ServiceIdentifier, (_context, value) => {
      made();
      if (!isKnown)
        this.#lifeCycle.add(nameOfService(key), () => this.#container.unbindAsync(key as ServiceIdentifier));
      isKnown = true;
      return value;
    });
  }

  #bind(key: ServiceKey): ReturnType<Container['bind']> {
    const identifier = key as ServiceIdentifier;
    if (this.#container.isBound(identifier)) this.#container.unbind(identifier);
    return this.#container.bind(identifier);
  }

  /** The `@postConstruct` methods that inversify has not called yet, or is calling. */
  #hooks(): (readonly [ConcreteClass, string | symbol])[] {
    return [...this.#unmade].flatMap((type) => hooksOf(type).postConstruct.map((name) => [type, name] as const));
  }

  /** Inversify names the class of a failed hook only in the message (version 8, `resolvePostConstruct`). */
  #reject(error: unknown): never {
    if (error instanceof Error && error.cause !== undefined) {
      for (const [type, name] of this.#hooks()) {
        const said = `"${String(name)}" @postConstruct decorated method on class "${type.name}"`;
        if (error.message.includes(said)) throw hookFailed(type, name, error.cause);
      }
    }
    throw error;
  }

  readonly #identifierOf = (injection: Injection): ServiceIdentifier => {
    if ('service' in injection) return injection.service as ServiceIdentifier;
    const identifier = Symbol();
    const value = 'lister' in injection ? this.#listerFor(injection.lister) : injection.value;
    this.#container.bind(identifier).toConstantValue(value);
    return identifier;
  };
}

/** For classes whose parameters only inversify resolves, which are not checked before. */
function onlyInRun(key: ServiceKey | AnyClass): never {
  throw new EvenkeelError(
    'run-scoped-dependency',
    `${nameOfService(key)} exists only during a run, so no class that is created once can have it; move it to the parameters of the reconcile method, after the context`,
  );
}
