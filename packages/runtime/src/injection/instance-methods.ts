import { type ConcreteClass, EvenkeelError } from '@evenkeel/core';

/** The methods of a controller's instance that have decorators. */
export class InstanceMethods {
  readonly #instance: object;
  readonly #class: ConcreteClass;

  constructor(instance: object, controllerClass: ConcreteClass) {
    this.#instance = instance;
    this.#class = controllerClass;
  }

  /** `NginxController.reconcile`, for messages. */
  memberOf(name: string): string {
    return `${this.#class.name}.${name}`;
  }

  /** Returns a method bound to the instance. Throws `class-not-constructible` if the instance has no such method. */
  bound(name: string): (...values: unknown[]) => unknown {
    const instance = this.#instance;
    const method: unknown = Reflect.get(instance, name);
    if (typeof method !== 'function') {
      throw new EvenkeelError(
        'class-not-constructible',
        `${this.memberOf(name)}: it has a decorator, but the instance has no such method; list a class that implements the method, and do not decorate properties or static methods`,
      );
    }
    return (...values) => method.apply(instance, values);
  }
}
