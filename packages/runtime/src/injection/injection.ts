import type { ConcreteClass } from '@evenkeel/core';

/** The value of a constructor's parameter: the instance of another class, or an existing value. */
export type Injection = { readonly instanceOf: ConcreteClass } | { readonly value: unknown };

/** The values of each class's constructor parameters; undefined if only inversify can resolve them. */
export type Injections = ReadonlyMap<ConcreteClass, readonly Injection[] | undefined>;

/** The instances of the controllers and services of a manager. Each is created once, when it is first needed. */
export interface Instances {
  /**
   * Resolves when the instance and its dependencies have been created, and their `@postConstruct` methods have finished. Rejects
   * if the life cycle stops before.
   */
  get<T extends object>(target: ConcreteClass<T>): Promise<T>;
  /**
   * Calls the `@preDestroy` methods of all created instances in reverse order, logs their errors, and returns whether all have
   * finished; see {@link LifeCycle.end}.
   */
  dispose(abort?: AbortSignal): Promise<boolean>;
}
