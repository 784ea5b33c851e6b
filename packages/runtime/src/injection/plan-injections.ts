import {
  type AnyClass,
  type ConcreteClass,
  type ControllerPlan,
  type Dependency,
  type ErrorCode,
  EvenkeelError,
  functionControllerOf,
  nameOfProvider,
  nameOfService,
  OnlyInRun,
  type ProviderScope,
  placedNameOfService,
  placeOf,
  resolveService,
  type WatchedReference,
} from '@evenkeel/core';
import { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { Injection, InjectionPlan, ListerRequest, Recipe, RunParameters, ServiceKey } from './injection.ts';
import { needsContainer } from './inversify-metadata.ts';
import {
  constructorParameters,
  isDecoratedWithoutMetadata,
  methodParameters,
  type Parameter,
  parameterName,
} from './parameters.ts';
import { providedClasses } from './provided-classes.ts';
import { isClass, type Services } from './services.ts';

export interface InjectionContents {
  readonly services: Services;
  /** Of the valid controllers. */
  readonly plans: readonly ControllerPlan[];
  /** Throws if the kind is not cached. */
  readonly checkLister: (request: ListerRequest) => void;
  /** Whether a module of inversify may provide it. */
  readonly isBound: (key: ServiceKey) => boolean;
}

/** A mistake in what is injected. */
export interface InjectionMistake {
  readonly code: ErrorCode;
  /** The class that has the parameter; undefined for a mistake of a provider. */
  readonly target: AnyClass | undefined;
  /** The method that has the parameter; undefined for a constructor. */
  readonly method: string | undefined;
  /** Without the class and the method. */
  readonly problem: string;
}

/** Returns the mistake as one sentence that starts with the class and its place. */
export function injectionMistakeText({ target, method, problem }: InjectionMistake): string {
  if (target === undefined) return problem;
  return `${target.name}${method === undefined ? '' : `.${method}`}${placeOf(target)}: ${problem}`;
}

/** The position of the first parameter of a reconcile or finalizer method after the object and the context. */
const firstOfRun = 2;

/** Who asks for a value. */
interface Asker {
  /** `SiteController`, or `the provider of Store (/app/main.ts:3)`. */
  readonly name: string;
  /** The class with the parameter; undefined for a provider. */
  readonly target: AnyClass | undefined;
  readonly method?: string;
  readonly scope: ProviderScope;
  readonly isController: boolean;
}

/**
 * Resolves what each constructor, factory and reconcile method gets, from the metadata of the compiler, the decorators and the
 * providers. Creates nothing. The mistakes name the class or provider, the parameter and the fix.
 */
export class InjectionPlanner {
  /** The mistakes that have been found. */
  readonly mistakes: InjectionMistake[] = [];
  readonly #contents: InjectionContents;
  readonly #recipes = new Map<ServiceKey, Recipe>();
  readonly #runs = new Map<ConcreteClass, RunParameters>();

  constructor(contents: InjectionContents) {
    this.#contents = contents;
  }

  /** Adds a service or controller, and returns its recipe. */
  add(key: ServiceKey): Recipe | undefined {
    const known = this.#recipes.get(key);
    if (known !== undefined) return known;
    const recipe = this.#recipeOf(key);
    if (recipe === undefined) return undefined;
    this.#recipes.set(key, recipe);
    return recipe;
  }

  /** Adds everything that the constructor of a class, the methods of a controller, and their dependencies need. */
  addReachable(from: readonly ConcreteClass[]): void {
    // Iterating a set includes entries that are added meanwhile.
    const asked = new Set<ServiceKey>(from);
    for (const key of asked) {
      const { dependencies = [] } = this.add(key) ?? {};
      const runs = [...(this.#runs.get(key as ConcreteClass)?.injections.values() ?? [])].flat();
      for (const injection of [...dependencies, ...runs]) {
        if ('service' in injection && this.#contents.services.provisions.has(injection.service)) {
          asked.add(injection.service);
        }
      }
    }
  }

  /** The plan of everything that was added. Reports services that need themselves. */
  finish(): InjectionPlan {
    this.mistakes.push(...circles(this.#recipes));
    return { recipes: this.#recipes, runs: this.#runs };
  }

  #recipeOf(key: ServiceKey): Recipe | undefined {
    const { provisions, providers } = this.#contents.services;
    const provision = provisions.get(key);
    const plan = this.#contents.plans.find(({ controllerClass }) => controllerClass === key);
    const provider = providers.get(key);
    const name = provider === undefined ? nameOfService(key) : nameOfProvider(provider);
    const scope = this.#scopeOf(key);
    if (provision?.as === 'alias') {
      return { key, name, provision, scope, dependencies: [{ service: provision.target }] };
    }
    if (provision?.as === 'value') return { key, name, provision, scope, dependencies: [] };
    if (provision?.as === 'factory') {
      const asker = { name, target: undefined, scope, isController: false };
      const asked = provision.provider.inject ?? [];
      const dependencies = asked.flatMap((dependency, index) => this.#dependency(asker, dependency, index));
      return { key, name, provision, scope, dependencies };
    }
    const target = (provision?.target ?? key) as ConcreteClass;
    if (typeof target !== 'function') return undefined;
    const dependencies = this.#constructorOf(target, scope, plan);
    const methods = plan === undefined ? [] : methodsOf(plan);
    if (plan !== undefined && functionControllerOf(target) === undefined) this.#addMethods(target, methods);
    return { key, name: target.name, provision: { as: 'class', target, scope }, scope, dependencies };
  }

  #scopeOf(key: ServiceKey): ProviderScope {
    if (key === ReconcileContext) return 'run';
    const { provisions } = this.#contents.services;
    let provision = provisions.get(key);
    const seen = new Set([provision]);
    while (provision?.as === 'alias') {
      provision = provisions.get(provision.target);
      if (seen.has(provision)) break;
      seen.add(provision);
    }
    return provision !== undefined && 'scope' in provision ? provision.scope : 'singleton';
  }

  /** Undefined if only inversify can resolve the parameters. */
  #constructorOf(
    target: ConcreteClass,
    scope: ProviderScope,
    plan: ControllerPlan | undefined,
  ): readonly Injection[] | undefined {
    const { name } = target;
    const functions = functionControllerOf(target);
    const asker = { name, target, scope, isController: plan !== undefined };
    const parameters = constructorParameters(target);
    if (needsContainer(target)) {
      const mixed = parameters?.findIndex(({ lister }) => lister !== undefined) ?? -1;
      if (mixed >= 0) {
        const problem = `${parameterName(target, mixed)} has @ListerOf, and the class uses names, tags, optional or injected properties of inversify, which cannot be combined; move the lister to another service`;
        this.#report('parameter-not-injectable', asker, problem);
      }
      if (scope === 'run') {
        const problem =
          'it has the scope "run", and uses names, tags, optional or injected properties of inversify, which cannot be combined; write a provider with useFactory';
        this.#report('parameter-not-injectable', asker, problem);
      }
      return undefined;
    }
    if (parameters === undefined) {
      this.#report('parameter-not-injectable', asker, whyNotRecorded(target));
      return [];
    }
    const inRun: { readonly name: string; readonly injection: Injection }[] = [];
    const injections = parameters.flatMap((parameter, index): Injection | [] => {
      const position = parameterName(target, index);
      if (parameter.lister !== undefined) {
        const problem = functions === undefined ? whyNotLister(parameter.type) : undefined;
        if (problem !== undefined) this.#report('parameter-not-injectable', asker, `${position} ${problem}`);
        const asked = functions === undefined ? `@ListerOf at parameter ${index + 1}` : position;
        return this.#lister(asker, asked, parameter.lister.kind);
      }
      const service = this.#service(asker, position, parameter);
      if (service === undefined) return [];
      if (functions === undefined || this.#scopeOf(service) !== 'run') return this.#inScope(asker, position, service);
      const as = functions.injected[index] ?? '';
      inRun.push({ name: as, injection: { service } });
      return { value: new OnlyInRun(() => usedOutsideOfRun(`${name}${placeOf(target)}`, as)) };
    });
    if (inRun.length > 0 && plan !== undefined) {
      const values = inRun.map(({ injection }) => injection);
      this.#runs.set(target, {
        names: inRun.map((one) => one.name),
        injections: new Map(methodsOf(plan).map((method) => [method, values])),
      });
    }
    return injections;
  }

  /** Resolves the parameters of reconcile and finalizer methods after the object and the context. */
  #addMethods(target: ConcreteClass, methods: readonly string[]): void {
    const injections = new Map<string, readonly Injection[]>();
    for (const method of methods) {
      const parameters = methodParameters(target, method, firstOfRun);
      const name = target.name;
      const asker: Asker = { name, target, method, scope: 'run', isController: true };
      if (parameters === undefined) {
        const problem = `the compiler did not record the types of its parameters; set "emitDecoratorMetadata": true in its tsconfig.json, or write @Inject(TheClass) before each parameter after the context`;
        this.#report('parameter-not-injectable', asker, problem);
        continue;
      }
      if (parameters.length === 0) continue;
      const found = parameters.flatMap((parameter, index): Injection | [] => {
        const service = this.#service(asker, `parameter ${firstOfRun + index + 1}`, parameter);
        return service === undefined ? [] : { service };
      });
      injections.set(method, found);
    }
    if (injections.size > 0) this.#runs.set(target, { names: undefined, injections });
  }

  #dependency(asker: Asker, dependency: Dependency, index: number): Injection | [] {
    const position = `entry ${index + 1} of its "inject"`;
    if (typeof dependency === 'object' && dependency !== null && 'listerOf' in dependency) {
      return this.#lister(asker, position, dependency.listerOf);
    }
    const named = { service: dependency };
    const service = this.#service(asker, position, { type: undefined, named, lister: undefined });
    return service === undefined ? [] : this.#inScope(asker, position, service);
  }

  #lister(asker: Asker, position: string, kind: WatchedReference): Injection | [] {
    const { name, target } = asker;
    const start = `${name}${target === undefined ? '' : placeOf(target)}: `;
    const request = { target, kind, asked: `${start}${position}` };
    try {
      this.#contents.checkLister(request);
      return { lister: request };
    } catch (error) {
      if (!(error instanceof EvenkeelError)) throw error;
      this.mistakes.push({
        code: error.code,
        target,
        method: undefined,
        problem: target === undefined ? error.message : error.message.slice(start.length),
      });
      return [];
    }
  }

  /** The service that a parameter asks for; undefined if nothing provides it, which is reported. */
  #service(asker: Asker, position: string, { type, named }: Parameter): ServiceKey | undefined {
    const wanted = named === undefined ? type : resolveService(named.service);
    const { services, isBound } = this.#contents;
    const key = wanted as ServiceKey;
    const isProvided =
      (isClass(wanted) && wanted !== Object) || typeof wanted === 'symbol' || typeof wanted === 'string'
        ? providedClasses.has(key as AnyClass) ||
          key === ReconcileContext ||
          services.provisions.has(key) ||
          isBound(key)
        : false;
    if (isProvided) return key;
    const why = named === undefined ? this.#whyNotType(type) : this.#whyNotNamed(wanted);
    this.#report('parameter-not-injectable', asker, `${position} ${why}`);
    return undefined;
  }

  /** Rejects a singleton that needs a value of a run. */
  #inScope(asker: Asker, position: string, service: ServiceKey): Injection | [] {
    if (asker.scope === 'run' || this.#scopeOf(service) !== 'run') return { service };
    const fix = asker.isController
      ? 'move it to the parameters of the reconcile method, after the context'
      : 'give its provider the scope "run" too, or pass the value to its methods';
    const what = service === ReconcileContext ? 'a ReconcileContext' : nameOfService(service);
    this.#report(
      'run-scoped-dependency',
      asker,
      `${position} asks for ${what}, which exists only during a run, but ${asker.target?.name ?? 'its value'} is created once for all runs; ${fix}`,
    );
    return [];
  }

  #whyNotType(type: unknown): string {
    if (type === undefined) {
      return 'has an undefined class, because an import cycle used the class before it was defined; move one of the two classes to its own module';
    }
    if (type === Object) {
      return 'has an interface, a union, `any` or a class imported with "import type" as its type, which does not exist at run time; import the class without "type", use a class as its type, or write @Inject(theToken) before it';
    }
    if (type === Function) {
      return 'has a function, or a class imported with "import type", as its type; import the class without "type", or write @Inject(theToken) before it';
    }
    const name = typeof type === 'function' ? type.name : String(type);
    if (name === 'Lister') return 'is a Lister without a kind; write @ListerOf(YourKind) before it';
    if (['String', 'Number', 'Boolean', 'Array', 'Symbol', 'Promise'].includes(name)) {
      return `is a ${name}, which cannot be injected; use a class that contains it, or write @Inject(theToken) before it`;
    }
    return `is a ${name}, which is not provided; ${this.#howToProvide(type as AnyClass)}`;
  }

  #whyNotNamed(wanted: unknown): string {
    if (wanted === undefined) {
      return 'has @Inject(undefined), because an import cycle used the class or token before it was defined; write @Inject(() => theToken), or move it to its own module';
    }
    const { services } = this.#contents;
    if (isClass(wanted)) return `asks for ${wanted.name}, which is not provided; ${this.#howToProvide(wanted)}`;
    if (typeof wanted !== 'symbol' && typeof wanted !== 'string') {
      return `asks for ${String(wanted)}, which is not a class or a token; pass a class, or a token from token()`;
    }
    const asks = `asks for ${placedNameOfService(wanted)}, which is not provided`;
    const namesake = [...services.provisions.keys()].find(
      (key) => typeof key === 'symbol' && typeof wanted === 'symbol' && key.description === wanted.description,
    );
    return namesake === undefined
      ? `${asks}; add a provider for it to \`services\`, such as { provide: theToken, useValue: ... }`
      : `${asks}; ${placedNameOfService(namesake)}, which is provided, is another token of the same name, so create it once and import it`;
  }

  #howToProvide(wanted: AnyClass): string {
    const { services } = this.#contents;
    const subclass = [...services.provisions.values()].find(
      (provision) =>
        'target' in provision && (provision.target.prototype as unknown) instanceof (wanted as ConcreteClass),
    );
    const { name } = wanted;
    return subclass === undefined || !('target' in subclass)
      ? `add ${name} to \`services\`, or { provide: ${name}, useClass: ... } if it is abstract`
      : `${subclass.target.name} extends it, so add { provide: ${name}, useClass: ${subclass.target.name} } to \`services\``;
  }

  #report(code: ErrorCode, { name, target, method }: Asker, problem: string): void {
    const whole = target === undefined ? `${name}: ${problem}` : problem;
    this.mistakes.push({ code, target, method, problem: whole });
  }
}

/** The methods that get a context. */
function methodsOf({ reconcileMethod, finalizers }: ControllerPlan): string[] {
  return [reconcileMethod, ...finalizers.map(({ method }) => method)];
}

function usedOutsideOfRun(controller: string, name: string): EvenkeelError {
  return new EvenkeelError(
    'run-scoped-dependency',
    `${controller}: "${name}" of .inject exists only during a run; use it only in the functions of .reconcile and .finalizer`,
  );
}

/** The compiler records only the class of a parameter, never the type argument of a Lister. */
function whyNotLister(type: unknown): string | undefined {
  if (typeof type !== 'function' || type === Object || type.name === 'Lister') return undefined;
  return `has @ListerOf, but its type is ${type.name}; write Lister<YourKind> as its type, or remove @ListerOf`;
}

function whyNotRecorded(target: ConcreteClass): string {
  return isDecoratedWithoutMetadata(target)
    ? 'the compiler did not record the types of its constructor parameters, although the class has a decorator; set "emitDecoratorMetadata": true in its tsconfig.json, or jsc.transform.decoratorMetadata for swc; esbuild and tsx cannot record types, so write @Inject(TheClass) before each parameter there'
    : 'the compiler did not record the types of its constructor parameters, because the class has no decorator; add @injectable() of inversify above it';
}

/** One mistake for each circle of services that need each other. */
function circles(recipes: ReadonlyMap<ServiceKey, Recipe>): InjectionMistake[] {
  const mistakes: InjectionMistake[] = [];
  const done = new Set<Recipe>();
  const path: Recipe[] = [];
  const visit = (recipe: Recipe): void => {
    if (done.has(recipe)) return;
    const start = path.indexOf(recipe);
    if (start >= 0) {
      mistakes.push(circularDependency([...path.slice(start), recipe]));
      return;
    }
    path.push(recipe);
    for (const injection of recipe.dependencies ?? []) {
      const needed = 'service' in injection ? recipes.get(injection.service) : undefined;
      if (needed !== undefined) visit(needed);
    }
    path.pop();
    done.add(recipe);
  };
  for (const recipe of recipes.values()) visit(recipe);
  return mistakes;
}

function circularDependency(circle: readonly Recipe[]): InjectionMistake {
  const names = circle.map(({ name }) => name).join(' -> ');
  const target = circle.map(({ provision }) => (provision.as === 'class' ? provision.target : undefined)).find(Boolean);
  const problem = `it needs itself (${names}); move the code that both need to a third class`;
  const [first] = circle;
  return {
    code: 'circular-dependency',
    target,
    method: undefined,
    problem: target === undefined ? `${first?.name}: ${problem}` : problem,
  };
}
