import 'reflect-metadata';
import {
  type ConcreteClass,
  Controller,
  type ControllerDecorator,
  type ControllerOptions,
  type ControllerSteps,
  controllerDecorators,
  EvenkeelError,
  type FunctionStep,
  Inject,
  type KindReference,
  type KubernetesObject,
  type ListerDependency,
  ListerOf,
  markFunctionController,
  nameOfReference,
  type ObjectOfReference,
  OnlyInRun,
  type PlainFunction,
  Reconcile,
  type ReconcileOptions,
  RunServices,
  recordCall,
  type ServiceIdentifier,
  stepName,
  type Token,
  type WatchedReference,
} from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Lister } from '../cache/lister.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ReconcileResult } from '../reconcile/reconcile-result.ts';

/** A request for a lister in {@link ControllerBuilder.inject} and in a {@link provider}. */
export interface ListerRequest<T extends CachedObject = CachedObject> extends ListerDependency {
  /** Never set. It gives the compiler the type of the lister. */
  readonly gives?: Lister<T>;
}

/** Requests a lister, as `@ListerOf(kind)` does at a parameter: `controllerFor(Site).inject({ maps: listerOf(ConfigMap) })`. */
export function listerOf<R extends WatchedReference>(kind: R): ListerRequest<ObjectOfReference<R>> {
  return { listerOf: kind };
}

/** The classes, tokens and listers to inject, by the name under which functions receive them. */
export type InjectionRequests = Readonly<Record<string, ServiceIdentifier | ListerRequest>>;

/** The value that a class, a token or a request for a lister stands for. */
export type InjectedValue<R> = R extends abstract new (
  ...parameters: never[]
) => infer I
  ? I
  : R extends Token<infer V>
    ? V
    : R extends ListerRequest<infer T>
      ? Lister<T>
      : never;

/** The injected values that functions receive. */
export type Injected<R extends InjectionRequests> = { readonly [N in keyof R]: InjectedValue<R[N]> };

// biome-ignore lint/suspicious/noConfusingVoidType: the type of a function that returns nothing
type Outcome = ReconcileResult | undefined | void;

/** A function with the parameters of a reconcile method. */
type Run<T extends KubernetesObject, S> = (
  object: T,
  context: ReconcileContext,
  services: S,
) => Outcome | Promise<Outcome>;

/**
 * A builder that declares a controller with functions instead of decorators. Each step returns a new builder and does not
 * change this one. {@link reconcile} is the last step. Each function receives the services requested with {@link inject} (`S`)
 * as its last parameter.
 *
 * Messages and logs contain the names of functions, so use named functions.
 */
export interface ControllerBuilder<T extends KubernetesObject, S = unknown> extends ControllerSteps<T, S, Run<T, S>> {
  /**
   * Injects classes and tokens, including listed services, and listers ({@link listerOf}), as constructor parameters do. Calls add
   * up. The functions of `reconcile` and `finalizer` also receive values with the scope `run`; for other functions, reading one
   * throws `run-scoped-dependency`.
   */
  inject<R extends InjectionRequests>(requests: R): ControllerBuilder<T, S & Injected<R>>;
  /** The equivalent of `@Reconcile`. Returns the controller class, which you list in `controllers`. */
  reconcile(reconcile: Run<T, S>, options?: ReconcileOptions): ConcreteClass;
}

/**
 * Starts a controller of plain functions. It is the equivalent of `@Controller` above a class:
 *
 * ```ts
 * export const siteController = controllerFor(Site)
 *   .inject({ dns: Dns, maps: listerOf(ConfigMap) })
 *   .owns(ConfigMap)
 *   .finalizer('example.com/dns-record', (site, _context, { dns }) => dns.remove(site.spec.host))
 *   .reconcile(async function publish(site, context, { dns }) { ... }, { maxConcurrent: 4 });
 * ```
 *
 * The result is a class with the same declarations as a decorated class. Use it in the same places: in
 * `defineOperator({ controllers })`. Each manager creates one instance.
 */
export function controllerFor<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  return beginWith(Builder, kind, options, controllerFor);
}

/** Returns a {@link controllerFor} that has a step for each of these decorators. */
export function controllerForWith(decorators: readonly ControllerDecorator[]): typeof controllerFor {
  const WithSteps = builderWith(decorators);
  return function begin(kind, options = {}) {
    return beginWith(WithSteps, kind, options, begin);
  };
}

function beginWith<T extends KubernetesObject>(
  Steps: typeof FunctionBuilder,
  kind: KindReference<T>,
  options: ControllerOptions<T>,
  called: PlainFunction,
): ControllerBuilder<T> {
  const beginning = { kind: kind as KindReference, options: options as ControllerOptions, call: recordCall(called) };
  return new Steps(beginning, [], {}) as unknown as ControllerBuilder<T>;
}

interface Beginning {
  readonly kind: KindReference;
  readonly options: ControllerOptions;
  readonly call: Error;
}

/** A {@link ControllerBuilder} of any type parameters. The implementation does not need them. */
class FunctionBuilder {
  readonly #beginning: Beginning;
  readonly #steps: readonly FunctionStep[];
  readonly #requests: InjectionRequests;

  constructor(beginning: Beginning, steps: readonly FunctionStep[], requests: InjectionRequests) {
    this.#beginning = beginning;
    this.#steps = steps;
    this.#requests = requests;
  }

  inject(requests: InjectionRequests): FunctionBuilder {
    return this.#next(this.#steps, { ...this.#requests, ...requests });
  }

  reconcile(reconcile: PlainFunction, options?: ReconcileOptions): ConcreteClass {
    return makeController(this.#beginning, this.#steps, this.#requests, reconcile, options);
  }

  with(step: FunctionStep): FunctionBuilder {
    return this.#next([...this.#steps, step], this.#requests);
  }

  /** A builder with the same methods. */
  #next(steps: readonly FunctionStep[], requests: InjectionRequests): FunctionBuilder {
    return new (this.constructor as typeof FunctionBuilder)(this.#beginning, steps, requests);
  }
}

/** Returns a builder class with a method for each of these decorators that has a step: `owns` for `Owns`. */
function builderWith(decorators: readonly ControllerDecorator[]): typeof FunctionBuilder {
  const WithSteps = class extends FunctionBuilder {};
  for (const { name, step } of decorators) {
    if (step === undefined) continue;
    const method = function (this: FunctionBuilder, ...given: readonly never[]): FunctionBuilder {
      return this.with(step(...given));
    };
    Object.defineProperty(WithSteps.prototype, stepName(name), { value: method });
  }
  return WithSteps;
}

const Builder = builderWith(controllerDecorators);

/** Creates the class of a controller and applies the decorators of its steps. */
function makeController(
  { kind, options, call }: Beginning,
  steps: readonly FunctionStep[],
  injected: InjectionRequests,
  reconcile: PlainFunction,
  reconcileOptions: ReconcileOptions | undefined,
): ConcreteClass {
  const requests = Object.entries(injected);
  const made = classOf(kind, options, requests);
  const prototype = made.prototype as object;
  for (const step of steps) {
    if (step.on === 'method') step.decorate(prototype, methodOf(made, step.does, step.unnamed), {});
  }
  const method = methodOf(made, reconcile, 'reconcile()');
  Reconcile(reconcileOptions)(prototype, method);
  for (const step of steps) {
    if (step.on === 'reconcile') step.decorate(prototype, method, {});
  }
  // Decorators of a class are evaluated from last to first.
  for (const step of steps.toReversed()) {
    if (step.on === 'class') step.decorate(made);
  }
  Controller(kind, options)(made);
  // So are those of parameters.
  for (const [parameter, [, request]] of [...requests.entries()].toReversed()) {
    if (isListerRequest(request)) ListerOf(request.listerOf)(made, undefined, parameter);
    else if (typeof request === 'symbol') Inject(request)(made, undefined, parameter);
  }
  const types = requests.map(([, request]) => (typeof request === 'function' ? request : request && Object));
  Reflect.defineMetadata('design:paramtypes', types, made);
  markFunctionController(made, { call, injected: requests.map(([name]) => name) });
  return made;
}

type NamedRequest = readonly [name: string, request: ServiceIdentifier | ListerRequest];

/** Creates the class of a controller without its methods. */
function classOf(kind: KindReference, options: ControllerOptions, requests: readonly NamedRequest[]): ConcreteClass {
  const made = class {
    readonly services: object;
    constructor(...values: readonly unknown[]) {
      this.services = servicesOf(
        requests.map(([name]) => name),
        values,
      );
    }
  };
  const name = nameOfReference(kind);
  const title = options.name === undefined ? `controllerFor(${name})` : `controllerFor(${name}, "${options.name}")`;
  Object.defineProperty(made, 'name', { value: title });
  return made;
}

/** The injected values by name. Values that exist only in a run are not enumerable, and reading them throws. */
function servicesOf(names: readonly string[], values: readonly unknown[]): object {
  const services = {};
  for (const [index, name] of names.entries()) {
    const value = values[index];
    if (value instanceof OnlyInRun) {
      const get = (): never => {
        throw value.error();
      };
      Object.defineProperty(services, name, { get });
    } else {
      Object.defineProperty(services, name, { value, enumerable: true });
    }
  }
  return services;
}

/** Adds a function to the class as a method, under its own name if that is free. Returns the name. */
function methodOf(made: ConcreteClass, does: PlainFunction, unnamed: string): string {
  if (typeof does !== 'function') {
    throw new EvenkeelError(
      'invalid-option',
      `${made.name}: ${unnamed} was called with ${String(does)}; pass a function`,
    );
  }
  const name = does.name === '' ? unnamed : does.name;
  const prototype = made.prototype as object;
  let free = name;
  for (let count = 2; free in prototype; count++) free = `${name} ${count}`;
  Object.defineProperty(prototype, free, {
    value: function (this: { readonly services: object }, ...given: unknown[]): unknown {
      const last = given.at(-1);
      const called = does as (...values: unknown[]) => unknown;
      if (!(last instanceof RunServices)) return called(...given, this.services);
      return called(...given.slice(0, -1), { ...this.services, ...last.values });
    },
  });
  return free;
}

function isListerRequest(request: ServiceIdentifier | ListerRequest): request is ListerRequest<never> {
  return typeof request === 'object' && request !== null && 'listerOf' in request;
}
