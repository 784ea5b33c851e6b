import type { AnyClass, ConcreteClass } from '@evenkeel/core';
import { Container, type ServiceIdentifier } from 'inversify';
import type { Injection, Injections, Instances } from './injection.ts';
import { hooksOf } from './inversify-metadata.ts';
import { hookFailed, hookName, type LifeCycle } from './life-cycle.ts';

/** Instances that inversify creates. It resolves the parameters of the classes that only its decorators describe. */
export class InversifyInstances implements Instances {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #lifeCycle: LifeCycle;
  /** The classes of which inversify has not created the instance yet. */
  readonly #unmade = new Set<ConcreteClass>();

  constructor(injections: Injections, values: ReadonlyMap<AnyClass, unknown>, lifeCycle: LifeCycle) {
    this.#lifeCycle = lifeCycle;
    for (const [type, value] of values) this.#container.bind(type as ServiceIdentifier).toConstantValue(value);
    for (const [target, injected] of injections) {
      if (injected === undefined) {
        // Inversify calls its hooks, by its own rules for base classes.
        this.#unmade.add(target);
        this.#container
          .bind(target)
          .toSelf()
          .inSingletonScope()
          .onActivation((_context, instance: object) => {
            this.#unmade.delete(target);
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
    return this.#lifeCycle.waitFor(
      () => this.#container.getAsync<T>(target).catch((error: unknown) => this.#reject(error)),
      () => this.#hooks().map(([type, name]) => hookName(type, name)),
    );
  }

  dispose(abort?: AbortSignal): Promise<boolean> {
    return this.#lifeCycle.end(abort);
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
    if ('instanceOf' in injection) return injection.instanceOf;
    const identifier = Symbol();
    this.#container.bind(identifier).toConstantValue(injection.value);
    return identifier;
  };
}
