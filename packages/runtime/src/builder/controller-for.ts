import 'reflect-metadata';
import {
  type AnyClass,
  Channel,
  type ConcreteClass,
  Controller,
  type ControllerOptions,
  type Duration,
  EvenkeelError,
  Every,
  Finalizer,
  type FinalizerName,
  type FinalizerOptions,
  Index,
  type KindReference,
  type KubernetesObject,
  ListerOf,
  type Metadata,
  type MetadataClass,
  markFunctionController,
  type ObjectKey,
  Owns,
  type OwnsOptions,
  type PathVerb,
  Rbac,
  type RbacOptions,
  type RbacPath,
  type RbacResource,
  Reconcile,
  type ReconcileOptions,
  type ResourceVerb,
  type WatchedReference,
  Watches,
  type WatchesOptions,
} from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Lister } from '../cache/lister.ts';
import type { ReconcileContext } from '../reconcile/reconcile-context.ts';
import type { ReconcileResult } from '../reconcile/reconcile-result.ts';

/** Asks for a lister in {@link ControllerBuilder.inject}. */
export interface ListerRequest<T extends CachedObject = CachedObject> {
  readonly listerOf: WatchedReference;
  /** Never there: it tells the compiler of what the lister is. */
  readonly gives?: Lister<T>;
}

/** What `@ListerOf(kind)` says at a constructor's parameter: `controllerFor(Site).inject({ maps: listerOf(ConfigMap) })`. */
export function listerOf<T extends KubernetesObject>(kind: KindReference<T>): ListerRequest<T>;
export function listerOf<T extends KubernetesObject>(
  kind: MetadataClass<T> | (() => MetadataClass<T>),
): ListerRequest<Metadata<T>>;
export function listerOf(kind: WatchedReference): ListerRequest {
  return { listerOf: kind };
}

/** What functions may ask for, by the name under which they are given it. */
export type InjectionRequests = Readonly<Record<string, AnyClass | ListerRequest>>;

/** What they are given. */
export type Injected<R extends InjectionRequests> = {
  readonly [N in keyof R]: R[N] extends abstract new (
    ...parameters: never[]
  ) => infer I
    ? I
    : R[N] extends ListerRequest<infer T>
      ? Lister<T>
      : never;
};

type Values = string | readonly string[] | null | undefined;
// biome-ignore lint/suspicious/noConfusingVoidType: what a function gives that returns nothing
type Outcome = ReconcileResult | undefined | void;

/**
 * Says by functions what decorators say of a controller's class. Each step gives a new builder and leaves the one before
 * it as it was; {@link reconcile} ends it. `S` is what {@link inject} has asked for so far, given to each function as its
 * last parameter.
 *
 * A function's name stands in messages and logs where a method's would; give functions names.
 */
export interface ControllerBuilder<T extends KubernetesObject, S = unknown> {
  /** As the parameters of a constructor: classes, listed services among them, and {@link listerOf}. Several calls add up. */
  inject<R extends InjectionRequests>(requests: R): ControllerBuilder<T, S & Injected<R>>;
  /** As `@Owns`. */
  owns<C extends KubernetesObject>(kind: KindReference<C>, options?: OwnsOptions<C>): ControllerBuilder<T, S>;
  /** As `@Rbac` above the class. */
  rbac<R extends KubernetesObject>(
    target: WatchedReference<R> | RbacResource,
    verbs: readonly ResourceVerb[],
    options?: RbacOptions,
  ): ControllerBuilder<T, S>;
  rbac(target: RbacPath, verbs: readonly PathVerb[], options?: Pick<RbacOptions, 'reason'>): ControllerBuilder<T, S>;
  /** As `@Watches`. */
  watches<W extends KubernetesObject>(
    kind: KindReference<W>,
    mapper: (object: W, services: S) => readonly ObjectKey[],
    options?: WatchesOptions<W>,
  ): ControllerBuilder<T, S>;
  watches<W extends KubernetesObject>(
    kind: MetadataClass<W> | (() => MetadataClass<W>),
    mapper: (object: Metadata<W>, services: S) => readonly ObjectKey[],
    options?: WatchesOptions<Metadata<W>>,
  ): ControllerBuilder<T, S>;
  /** As `@Finalizer`. */
  finalizer(
    name: FinalizerName,
    finalize: (object: T, context: ReconcileContext, services: S) => Outcome | Promise<Outcome>,
    options?: FinalizerOptions,
  ): ControllerBuilder<T, S>;
  /** As `@Index`. */
  index(name: string, valuesOf: (object: T, services: S) => Values): ControllerBuilder<T, S>;
  index<I extends KubernetesObject>(
    name: string,
    valuesOf: (object: I, services: S) => Values,
    kind: KindReference<I>,
  ): ControllerBuilder<T, S>;
  index<I extends KubernetesObject>(
    name: string,
    valuesOf: (object: Metadata<I>, services: S) => Values,
    kind: MetadataClass<I> | (() => MetadataClass<I>),
  ): ControllerBuilder<T, S>;
  /** As `@Every` above the reconcile. */
  every(period: Duration): ControllerBuilder<T, S>;
  /** As `@Channel`. */
  channel(open: (signal: AbortSignal, services: S) => AsyncIterable<ObjectKey>): ControllerBuilder<T, S>;
  /** As `@Reconcile`. Gives the controller: what stands in `controllers` beside classes. */
  reconcile(
    reconcile: (object: T, context: ReconcileContext, services: S) => Outcome | Promise<Outcome>,
    options?: ReconcileOptions,
  ): ConcreteClass;
}

/**
 * Begins a controller of plain functions, as `@Controller` does above a class:
 *
 * ```ts
 * export const siteController = controllerFor(Site)
 *   .inject({ dns: Dns, maps: listerOf(ConfigMap) })
 *   .owns(ConfigMap)
 *   .finalizer('example.com/dns-record', (site, _context, { dns }) => dns.remove(site.spec.host))
 *   .reconcile(async function publish(site, context, { dns }) { ... }, { maxConcurrent: 4 });
 * ```
 *
 * What comes of it is a class with the same declarations as a decorated one, and stands wherever one may: in
 * `Manager.run({ controllers })`, and exported from a module of `controllers` in the configuration of the command. One
 * instance of it is made for each manager.
 */
export function controllerFor<T extends KubernetesObject>(
  kind: KindReference<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  const call = new Error('controllerFor()');
  Error.captureStackTrace(call, controllerFor);
  const beginning = { kind: kind as KindReference, options: options as ControllerOptions, call };
  return new FunctionBuilder(beginning, [], {}) as unknown as ControllerBuilder<T>;
}

interface Beginning {
  readonly kind: KindReference;
  readonly options: ControllerOptions;
  readonly call: Error;
}

type PlainFunction = (...values: never[]) => unknown;

/** One thing that was said, told to the class when all is known; `reconcile` is the name of that method. */
type Step = (made: ControllerMaking) => void;

/** A {@link ControllerBuilder} whatever its type parameters: within, nothing is told apart by them. */
class FunctionBuilder {
  readonly #beginning: Beginning;
  readonly #steps: readonly Step[];
  readonly #requests: InjectionRequests;

  constructor(beginning: Beginning, steps: readonly Step[], requests: InjectionRequests) {
    this.#beginning = beginning;
    this.#steps = steps;
    this.#requests = requests;
  }

  inject(requests: InjectionRequests): FunctionBuilder {
    return new FunctionBuilder(this.#beginning, this.#steps, { ...this.#requests, ...requests });
  }

  owns(kind: KindReference, options?: OwnsOptions): FunctionBuilder {
    return this.#with((made) => made.onClass.push(Owns(kind, options)));
  }

  rbac(target: WatchedReference, verbs: readonly ResourceVerb[], options?: RbacOptions): FunctionBuilder {
    return this.#with((made) => made.onClass.push(Rbac(target, verbs, options)));
  }

  watches(kind: WatchedReference, mapper: PlainFunction, options?: WatchesOptions<KubernetesObject>): FunctionBuilder {
    return this.#with((made) => {
      const method = made.method(mapper, `watches(${nameOf(kind)})`);
      const decorate = Watches(kind as KindReference, options);
      decorate(made.prototype, method, {});
    });
  }

  finalizer(name: FinalizerName, finalize: PlainFunction, options?: FinalizerOptions): FunctionBuilder {
    return this.#with((made) =>
      Finalizer(name, options)(made.prototype, made.method(finalize, `finalizer(${String(name)})`)),
    );
  }

  index(name: string, valuesOf: PlainFunction, ...kind: readonly WatchedReference[]): FunctionBuilder {
    return this.#with((made) => {
      const method = made.method(valuesOf, `index(${String(name)})`);
      const decorate = (Index as (name: string, ...kind: unknown[]) => (target: object, method: string) => void)(
        name,
        ...kind,
      );
      decorate(made.prototype, method);
    });
  }

  every(period: Duration): FunctionBuilder {
    return this.#with((made) => made.periods.push(period));
  }

  channel(open: PlainFunction): FunctionBuilder {
    return this.#with((made) => Channel()(made.prototype, made.method(open, 'channel()'), {}));
  }

  reconcile(reconcile: PlainFunction, options?: ReconcileOptions): ConcreteClass {
    const making = new ControllerMaking(this.#beginning, this.#requests);
    for (const step of this.#steps) step(making);
    return making.end(reconcile, options);
  }

  #with(step: Step): FunctionBuilder {
    return new FunctionBuilder(this.#beginning, [...this.#steps, step], this.#requests);
  }
}

/** The class of a controller while it is made. */
class ControllerMaking {
  readonly prototype: object;
  readonly onClass: ((target: AnyClass) => void)[] = [];
  readonly periods: Duration[] = [];
  readonly #beginning: Beginning;
  readonly #requests: readonly (readonly [name: string, request: AnyClass | ListerRequest])[];
  readonly #class: ConcreteClass;

  constructor(beginning: Beginning, requests: InjectionRequests) {
    const entries = Object.entries(requests);
    this.#beginning = beginning;
    this.#requests = entries;
    this.#class = class {
      readonly services: object;
      constructor(...values: readonly unknown[]) {
        this.services = Object.fromEntries(entries.map(([name], index) => [name, values[index]]));
      }
    };
    const name = nameOf(beginning.kind);
    const { name: given } = beginning.options;
    const title = given === undefined ? `controllerFor(${name})` : `controllerFor(${name}, "${given}")`;
    Object.defineProperty(this.#class, 'name', { value: title });
    this.prototype = this.#class.prototype as object;
  }

  /** Makes a function a method of the class, under its own name where that is free, and gives the name. */
  method(does: PlainFunction, unnamed: string): string {
    if (typeof does !== 'function') {
      throw new EvenkeelError(
        'invalid-option',
        `${this.#class.name}: ${unnamed} was given ${String(does)} where a function belongs`,
      );
    }
    const name = does.name === '' ? unnamed : does.name;
    let free = name;
    for (let count = 2; free in this.prototype; count++) free = `${name} ${count}`;
    Object.defineProperty(this.prototype, free, {
      value: function (this: { readonly services: object }, ...given: never[]): unknown {
        return does(...given, this.services as never);
      },
    });
    return free;
  }

  end(reconcile: PlainFunction, options: ReconcileOptions | undefined): ConcreteClass {
    const made = this.#class;
    const method = this.method(reconcile, 'reconcile()');
    Reconcile(options)(this.prototype, method);
    for (const period of this.periods) Every(period)(this.prototype, method);
    // Decorators of a class run from the last to the first.
    for (const decorate of this.onClass.toReversed()) decorate(made);
    Controller(this.#beginning.kind, this.#beginning.options)(made);
    // And so do those of parameters.
    for (const [parameter, [, request]] of [...this.#requests.entries()].toReversed()) {
      if (isListerRequest(request)) ListerOf(request.listerOf)(made, undefined, parameter);
    }
    const types = this.#requests.map(([, request]) => (isListerRequest(request) ? Object : request));
    Reflect.defineMetadata('design:paramtypes', types, made);
    markFunctionController(made, { call: this.#beginning.call, injected: this.#requests.map(([name]) => name) });
    return made;
  }
}

function isListerRequest(request: AnyClass | ListerRequest): request is ListerRequest<never> {
  return typeof request === 'object' && request !== null && 'listerOf' in request;
}

/** A kind as it stands in messages. A thunk is not called: what it gives may not be there yet. */
function nameOf(reference: WatchedReference): string {
  if (typeof reference === 'function') return reference.prototype === undefined ? '() => ...' : reference.name;
  return typeof reference === 'object' && reference !== null
    ? `Metadata(${reference.metadataOf?.name})`
    : String(reference);
}
