import type { AnyClass, ConcreteClass, FactoryProvider, ProviderScope, WatchedReference } from '@evenkeel/core';

/** What identifies an injected value. Strings come only from inversify's `@inject`. */
export type ServiceKey = AnyClass | symbol | string;

/** A request for a lister. */
export interface ListerRequest {
  readonly kind: WatchedReference;
  /** The class of the parameter; undefined for a factory. */
  readonly target: AnyClass | undefined;
  /** Who asks, for messages: `SiteController: @ListerOf at parameter 1`. */
  readonly asked: string;
}

/** What a parameter gets: the value of a service, a lister, or an existing value. */
export type Injection =
  | { readonly service: ServiceKey }
  | { readonly lister: ListerRequest }
  | { readonly value: unknown };

/** How the value of a service is made. */
export type Provision =
  | { readonly as: 'class'; readonly target: ConcreteClass; readonly scope: ProviderScope }
  | { readonly as: 'alias'; readonly target: ConcreteClass }
  | { readonly as: 'value'; readonly value: unknown }
  | { readonly as: 'factory'; readonly provider: FactoryProvider; readonly scope: ProviderScope };

/** A provision with everything that it depends on. */
export interface Recipe {
  readonly key: ServiceKey;
  /** For messages: `Orders`, or `the provider of Store (/app/main.ts:3)`. */
  readonly name: string;
  readonly provision: Provision;
  readonly scope: ProviderScope;
  /** The values of the parameters; undefined if only inversify can resolve them. */
  readonly dependencies: readonly Injection[] | undefined;
}

/** The values that the methods of a controller get in each run, after the object and the context. */
export interface RunParameters {
  /** The names under which functions get them; undefined for a class. */
  readonly names: readonly string[] | undefined;
  /** By method. */
  readonly injections: ReadonlyMap<string, readonly Injection[]>;
}

/** Everything that is injected into the classes of a manager. */
export interface InjectionPlan {
  /** Of all services and controllers. */
  readonly recipes: ReadonlyMap<ServiceKey, Recipe>;
  /** Of the controllers whose methods get such values. */
  readonly runs: ReadonlyMap<ConcreteClass, RunParameters>;
}

/** The values of a manager's services and controllers that are singletons. Each is created once, when it is first needed. */
export interface Instances {
  /**
   * Resolves when the value and its dependencies have been created, and their `@postConstruct` methods have finished. Rejects
   * if the life cycle stops before.
   */
  get(key: ServiceKey): Promise<unknown>;
  /**
   * Ends all created values in reverse order, logs the errors, and returns whether all have finished; see
   * {@link LifeCycle.end}.
   */
  dispose(abort?: AbortSignal): Promise<boolean>;
}
