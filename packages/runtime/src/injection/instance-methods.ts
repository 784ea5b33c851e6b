import { type ConcreteClass, EvenkeelError } from '@evenkeel/core';

/** The methods of a controller's instance that its declarations name. */
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

  /** A method that is called with the instance as `this`. Throws `class-not-constructible` if the instance has no such method. */
  bound(name: string): (...values: unknown[]) => unknown {
    const instance = this.#instance;
    const method: unknown = Reflect.get(instance, name);
    if (typeof method !== 'function') {
      throw new EvenkeelError(
        'class-not-constructible',
        `${this.memberOf(name)}: it is declared, but an instance has no such method; list a class that implements it, and take the decorator off a property or a static method`,
      );
    }
    return (...values) => method.apply(instance, values);
  }
}
