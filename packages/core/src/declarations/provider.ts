import { placeOfCall } from './call-site.ts';
import type { AnyClass, ConcreteClass, WatchedReference } from './class-reference.ts';
import { nameOfService, type ServiceIdentifier } from './token.ts';

/**
 * How long a provided value exists.
 * - `singleton`: from the start of the manager to its end.
 * - `run`: during one call of a reconcile or finalizer method.
 */
export type ProviderScope = 'singleton' | 'run';

/** A request for a lister of a kind. */
export interface ListerDependency {
  readonly listerOf: WatchedReference;
}

/** What a factory may depend on. */
export type Dependency = ServiceIdentifier | ListerDependency;

/** Provides the instance of a class, usually for an abstract class. Classes that ask for either get the same instance. */
export interface ClassProvider {
  readonly provide: ServiceIdentifier;
  readonly useClass: ConcreteClass;
  /** Default: `singleton`. */
  readonly scope?: ProviderScope;
}

/** Provides an existing value. Its owner ends it. */
export interface ValueProvider {
  readonly provide: ServiceIdentifier;
  readonly useValue: unknown;
}

/** Provides what a function returns. */
export interface FactoryProvider {
  readonly provide: ServiceIdentifier;
  /** Gets the values of `inject` in their order. May be asynchronous. Called once for each manager, or for each run. */
  readonly useFactory: (...values: never[]) => unknown;
  /** Default: none. */
  readonly inject?: readonly Dependency[];
  /** Called with the value after everything that depends on it has ended. May be asynchronous. Default: nothing. */
  readonly dispose?: (value: never) => unknown;
  /** Default: `singleton`. */
  readonly scope?: ProviderScope;
}

/** Says how the value of an identifier is made. `provider()` checks the types of its parts against each other. */
export type Provider = ClassProvider | ValueProvider | FactoryProvider;

/** A `ContainerModule` of inversify. */
export interface InversifyModule {
  readonly id: number;
  load(options: never): unknown;
}

/** An entry of a list of services: a class, which is its own provider, a provider, or a module of inversify. */
export type ServiceEntry = ConcreteClass | Provider | InversifyModule;

const calls = new WeakMap<object, Error>();

/** Records the line that created a provider, for messages. Returns the provider. */
export function recordProvider<P extends Provider>(made: P, call: Error): P {
  calls.set(made, call);
  return made;
}

/** Returns `the provider of Store (/app/main.ts:3)` for messages. The line is known if `provider()` created the provider. */
export function nameOfProvider(made: Provider): string {
  return `the provider of ${nameOfService(made.provide)}${placeOfCall(calls.get(made))}`;
}

/** Whether a value looks like a provider, which may have mistakes. */
export function isProvider(entry: unknown): entry is Provider {
  return typeof entry === 'object' && entry !== null && 'provide' in entry;
}

/** Whether an entry of `services` is a `ContainerModule` of inversify. */
export function isInversifyModule(entry: unknown): entry is InversifyModule {
  if (typeof entry !== 'object' || entry === null || isProvider(entry)) return false;
  const { id, load } = entry as { readonly id?: unknown; readonly load?: unknown };
  return typeof id === 'number' && typeof load === 'function';
}

/** Returns the classes of services whose declarations, such as `@Rbac`, an operator uses. Each is returned once. */
export function serviceClassesOf(services: readonly ServiceEntry[]): AnyClass[] {
  const classes = services.flatMap((entry): unknown[] => {
    if (typeof entry === 'function') return [entry];
    if (!isProvider(entry)) return [];
    return 'useClass' in entry ? [entry.provide, entry.useClass] : [entry.provide];
  });
  return [...new Set(classes.filter((entry) => typeof entry === 'function'))] as unknown as AnyClass[];
}
