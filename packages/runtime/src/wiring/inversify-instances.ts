import type { AnyClass } from '@evenkeel/core';
import { Container, type ServiceIdentifier } from 'inversify';
import type { ConcreteClass } from './controller-plan.ts';
import type { Injection, Injections, Instances } from './instances.ts';

/** Instances made by inversify: by its decorators where a class has them. Disposing calls `@preDestroy`. */
export class InversifyInstances implements Instances {
  readonly #container = new Container({ defaultScope: 'Singleton' });

  constructor(injections: Injections, values: ReadonlyMap<AnyClass, unknown>) {
    for (const [type, value] of values) this.#container.bind(type as ServiceIdentifier).toConstantValue(value);
    for (const [target, injected] of injections) {
      if (injected === undefined) this.#container.bind(target).toSelf().inSingletonScope();
      else {
        this.#container
          .bind(target)
          .toResolvedValue((...values: unknown[]) => new target(...values), injected.map(this.#identifierOf))
          .inSingletonScope();
      }
    }
  }

  get<T extends object>(target: ConcreteClass<T>): Promise<T> {
    return this.#container.getAsync<T>(target);
  }

  async dispose(): Promise<void> {
    await this.#container.unbindAll();
  }

  readonly #identifierOf = (injection: Injection): ServiceIdentifier => {
    if ('instanceOf' in injection) return injection.instanceOf;
    const identifier = Symbol();
    this.#container.bind(identifier).toConstantValue(injection.value);
    return identifier;
  };
}
