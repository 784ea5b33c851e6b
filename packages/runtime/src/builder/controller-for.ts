import 'reflect-metadata';
import {
  type AnyClass,
  type ConcreteClass,
  Controller,
  type ControllerDecorator,
  type ControllerOptions,
  type ControllerSteps,
  controllerDecorators,
  EvenkeelError,
  type FunctionStep,
  type KindReference,
  type KubernetesObject,
  ListerOf,
  type Metadata,
  type MetadataClass,
  markFunctionController,
  nameOfReference,
  type PlainFunction,
  Reconcile,
  type ReconcileOptions,
  stepName,
  type WatchedReference,
} from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Lister } from '../cache/lister.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ReconcileResult } from '../reconcile/reconcile-result.ts';

/** A request for a lister in {@link ControllerBuilder.inject}. */
export interface ListerRequest<T extends CachedObject = CachedObject> {
  readonly listerOf: WatchedReference;
  /** Never set. It gives the compiler the type of the lister. */
  readonly gives?: Lister<T>;
}

/** Requests a lister, as `@ListerOf(kind)` does at a parameter: `controllerFor(Site).inject({ maps: listerOf(ConfigMap) })`. */
export function listerOf<T extends KubernetesObject>(kind: KindReference<T>): ListerRequest<T>;
export function listerOf<T extends KubernetesObject>(
  kind: MetadataClass<T> | (() => MetadataClass<T>),
): ListerRequest<Metadata<T>>;
export function listerOf(kind: WatchedReference): ListerRequest {
  return { listerOf: kind };
}

/** The classes and listers to inject, by the name under which functions receive them. */
export type InjectionRequests = Readonly<Record<string, AnyClass | ListerRequest>>;

/** The injected values that functions receive. */
export type Injected<R extends InjectionRequests> = {
  readonly [N in keyof R]: R[N] extends abstract new (
    ...parameters: never[]
  ) => infer I
    ? I
    : R[N] extends ListerRequest<infer T>
      ? Lister<T>
      : never;
};

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
  /** Injects classes, including listed services, and listers ({@link listerOf}), as constructor parameters do. Calls add up. */
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
  const call = new Error('controllerFor()');
  Error.captureStackTrace(call, called);
  const beginning = { kind: kind as KindReference, options: options as ControllerOptions, call };
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
  }
  const types = requests.map(([, request]) => (isListerRequest(request) ? Object : request));
  Reflect.defineMetadata('design:paramtypes', types, made);
  markFunctionController(made, { call, injected: requests.map(([name]) => name) });
  return made;
}

type NamedRequest = readonly [name: string, request: AnyClass | ListerRequest];

/** Creates the class of a controller without its methods. */
function classOf(kind: KindReference, options: ControllerOptions, requests: readonly NamedRequest[]): ConcreteClass {
  const made = class {
    readonly services: object;
    constructor(...values: readonly unknown[]) {
      this.services = Object.fromEntries(requests.map(([name], index) => [name, values[index]]));
    }
  };
  const name = nameOfReference(kind);
  const title = options.name === undefined ? `controllerFor(${name})` : `controllerFor(${name}, "${options.name}")`;
  Object.defineProperty(made, 'name', { value: title });
  return made;
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
    value: function (this: { readonly services: object }, ...given: never[]): unknown {
      return does(...given, this.services as never);
    },
  });
  return free;
}

function isListerRequest(request: AnyClass | ListerRequest): request is ListerRequest<never> {
  return typeof request === 'object' && request !== null && 'listerOf' in request;
}
