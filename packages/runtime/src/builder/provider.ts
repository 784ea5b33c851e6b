import {
  type ConcreteClass,
  type Provider,
  type ProviderScope,
  recordCall,
  recordProvider,
  type ServiceIdentifier,
} from '@evenkeel/core';
import type { InjectedValue, ListerRequest } from './injected.ts';

/** What a factory may depend on. */
type FactoryDependency = ServiceIdentifier | ListerRequest;

/** The parameters of a factory. */
type InjectedValues<D extends readonly FactoryDependency[]> = { readonly [I in keyof D]: InjectedValue<D[I]> };

interface ProvidedClass<T> {
  readonly provide: ServiceIdentifier<T>;
  readonly useClass: ConcreteClass<NoInfer<T>>;
  readonly scope?: ProviderScope;
}

interface ProvidedValue<T> {
  readonly provide: ServiceIdentifier<T>;
  readonly useValue: NoInfer<T>;
}

interface ProvidedByFactory<T, D extends readonly FactoryDependency[]> {
  readonly provide: ServiceIdentifier<T>;
  readonly inject?: D;
  readonly useFactory: (...values: InjectedValues<D>) => NoInfer<T> | Promise<NoInfer<T>>;
  readonly dispose?: (value: NoInfer<T>) => void | Promise<void>;
  readonly scope?: ProviderScope;
}

/**
 * Returns the provider, and lets the compiler check its parts: the class, the value or the result of the factory against what it
 * provides, and the parameters of the factory against `inject`. Messages name the line of the call.
 *
 * ```ts
 * provider({ provide: Dns, useClass: Route53 });
 * provider({ provide: dnsUrl, useValue: 'https://dns.example.com' });
 * provider({ provide: Dns, inject: [dnsUrl, Logger], useFactory: (url, logger) => connect(url, logger), dispose: (dns) => dns.close() });
 * ```
 *
 * Promised: the promise of a factory is awaited before anything else gets the value, and before the caches start. `dispose` is
 * called after everything that depends on the value has ended. With the scope `run`, the factory is called in each run that needs
 * the value, may have a `ReconcileContext` in `inject`, and `dispose` is called when the method of the run has returned or thrown.
 */
export function provider<T>(given: ProvidedClass<T>): Provider;
export function provider<T>(given: ProvidedValue<T>): Provider;
export function provider<T, const D extends readonly FactoryDependency[] = readonly []>(
  given: ProvidedByFactory<T, D>,
): Provider;
export function provider(given: Provider): Provider {
  return recordProvider(given, recordCall(provider));
}
