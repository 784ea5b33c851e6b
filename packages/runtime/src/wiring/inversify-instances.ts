import type { AnyClass } from '@evenkeel/core';
import { Container, type ServiceIdentifier } from 'inversify';
import type { ConcreteClass } from './controller-plan.ts';
import type { Injection, Injections, Instances } from './instances.ts';
import type { LifeCycle } from './life-cycle.ts';

/** Instances made by inversify: by its decorators where only it can tell what they ask for. */
export class InversifyInstances implements Instances {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #lifeCycle: LifeCycle;

  constructor(injections: Injections, values: ReadonlyMap<AnyClass, unknown>, lifeCycle: LifeCycle) {
    this.#lifeCycle = lifeCycle;
    for (const [type, value] of values) this.#container.bind(type as ServiceIdentifier).toConstantValue(value);
    for (const [target, injected] of injections) {
      if (injected === undefined) {
        // Its hooks are inversify's to call, with what inversify says of base classes.
        this.#container
          .bind(target)
          .toSelf()
          .inSingletonScope()
          .onActivation((_context, instance: object) => {
            lifeCycle.add(target, () => this.#container.unbindAsync(target));
            return instance;
          });
      } else {
        this.#container
          .bind(target)
          .toResolvedValue((...values: unknown[]) => new target(...values), injected.map(this.#identifierOf))
          .inSingletonScope()
          .onActivation((_context, instance: object) => lifeCycle.begin(target, instance));
      }
    }
  }

  get<T extends object>(target: ConcreteClass<T>): Promise<T> {
    return this.#container.getAsync<T>(target);
  }

  dispose(): Promise<void> {
    return this.#lifeCycle.end();
  }

  readonly #identifierOf = (injection: Injection): ServiceIdentifier => {
    if ('instanceOf' in injection) return injection.instanceOf;
    const identifier = Symbol();
    this.#container.bind(identifier).toConstantValue(injection.value);
    return identifier;
  };
}
