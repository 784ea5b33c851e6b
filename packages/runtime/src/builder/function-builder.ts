import 'reflect-metadata';
import {
  type ConcreteClass,
  type ControllerDecorator,
  EvenkeelError,
  type FunctionStep,
  Inject,
  type KindReference,
  ListerOf,
  markFunctionController,
  nameOfReference,
  OnlyInRun,
  type PlainFunction,
  RunServices,
  type ServiceIdentifier,
  stepName,
} from '@evenkeel/core';
import type { InjectionRequests, ListerRequest } from './injected.ts';

/** How a class of functions begins. */
export interface Beginning {
  readonly kind: KindReference;
  /** The option `name`, which distinguishes classes of one kind in messages. */
  readonly name: string | undefined;
  /** The function that the user called: `controllerFor`. */
  readonly starts: string;
  /** Created in that call. */
  readonly call: Error;
  /** Applies the decorator of the class: `@Controller`. */
  readonly decorate: (made: ConcreteClass) => void;
}

/** The last step: the function that becomes a method, and the decorator of that method. */
export interface LastStep {
  readonly does: PlainFunction;
  readonly unnamed: string;
  readonly decorate: (prototype: object, method: string) => void;
}

/**
 * A builder of a class with functions as methods. It has no type parameters, because the implementation does not need them. A
 * subclass adds the last step, which calls {@link finish}.
 */
export class FunctionBuilder {
  readonly #beginning: Beginning;
  readonly #steps: readonly FunctionStep[];
  readonly #requests: InjectionRequests;

  constructor(beginning: Beginning, steps: readonly FunctionStep[] = [], requests: InjectionRequests = {}) {
    this.#beginning = beginning;
    this.#steps = steps;
    this.#requests = requests;
  }

  inject(requests: InjectionRequests): this {
    return this.#next(this.#steps, { ...this.#requests, ...requests });
  }

  with(step: FunctionStep): this {
    return this.#next([...this.#steps, step], this.#requests);
  }

  /** @param last default: none, the class has no method. */
  protected finish(last?: LastStep): ConcreteClass {
    return makeClass(this.#beginning, this.#steps, this.#requests, last);
  }

  /** A builder with the same methods. */
  #next(steps: readonly FunctionStep[], requests: InjectionRequests): this {
    return new (this.constructor as typeof FunctionBuilder)(this.#beginning, steps, requests) as this;
  }
}

/** Returns a builder class with a method for each of these decorators that has a step: `owns` for `Owns`. */
export function builderWith<B extends typeof FunctionBuilder>(Base: B, decorators: readonly ControllerDecorator[]): B {
  const WithSteps = class extends (Base as typeof FunctionBuilder) {};
  for (const { name, step } of decorators) {
    if (step === undefined) continue;
    const method = function (this: FunctionBuilder, ...given: readonly never[]): FunctionBuilder {
      return this.with(step(...given));
    };
    Object.defineProperty(WithSteps.prototype, stepName(name), { value: method });
  }
  return WithSteps as unknown as B;
}

/** Creates the class and applies the decorators of its steps. */
function makeClass(
  beginning: Beginning,
  steps: readonly FunctionStep[],
  injected: InjectionRequests,
  last: LastStep | undefined,
): ConcreteClass {
  const requests = Object.entries(injected);
  const made = classOf(beginning, requests);
  const prototype = made.prototype as object;
  for (const step of steps) {
    if (step.on === 'method') step.decorate(prototype, methodOf(made, step.does, step.unnamed), {});
  }
  if (last !== undefined) {
    const method = methodOf(made, last.does, last.unnamed);
    last.decorate(prototype, method);
    for (const step of steps) {
      if (step.on === 'reconcile') step.decorate(prototype, method, {});
    }
  }
  // Decorators of a class are evaluated from last to first.
  for (const step of steps.toReversed()) {
    if (step.on === 'class') step.decorate(made);
  }
  beginning.decorate(made);
  // So are those of parameters.
  for (const [parameter, [, request]] of [...requests.entries()].toReversed()) {
    if (isListerRequest(request)) ListerOf(request.listerOf)(made, undefined, parameter);
    else if (typeof request === 'symbol') Inject(request)(made, undefined, parameter);
  }
  const types = requests.map(([, request]) => (typeof request === 'function' ? request : request && Object));
  Reflect.defineMetadata('design:paramtypes', types, made);
  markFunctionController(made, { call: beginning.call, injected: requests.map(([name]) => name) });
  return made;
}

type NamedRequest = readonly [name: string, request: ServiceIdentifier | ListerRequest];

/** Creates the class without its methods. */
function classOf({ kind, name: given, starts }: Beginning, requests: readonly NamedRequest[]): ConcreteClass {
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
  const title = given === undefined ? `${starts}(${name})` : `${starts}(${name}, "${given}")`;
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
