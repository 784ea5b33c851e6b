import { placeOfCall, recordCall } from './call-site.ts';
import type { AnyClass } from './class-reference.ts';

/** Never set. It gives the compiler the type of the value. */
declare const provides: unique symbol;

/**
 * Identifies an injected value that has no class of its own: a URL, a function, an object of an interface. It is a symbol, so
 * inversify's `@inject` and its modules accept it too.
 */
export type Token<T = unknown> = symbol & { readonly [provides]: T };

/** What can be injected: a class, which may be abstract, or a token. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would reject most classes
export type ServiceIdentifier<T = unknown> = (abstract new (...args: any[]) => T) | Token<T>;

/** An identifier, or a function that returns it, for import cycles in which it is undefined while decorators run. */
export type ServiceReference<T = unknown> = ServiceIdentifier<T> | (() => ServiceIdentifier<T>);

/** Where each token was created. Symbols cannot have properties. */
const calls = new WeakMap<symbol, Error>();

/**
 * Creates a token. Each call creates another token, even for the same name, so declare it once and import it.
 *
 * ```ts
 * export const dnsUrl = token<string>('dnsUrl');
 * ```
 *
 * @param name the name in messages.
 */
export function token<T>(name: string): Token<T> {
  const made = Symbol(name);
  calls.set(made, recordCall(token));
  return made as unknown as Token<T>;
}

/** Returns the name of an identifier for messages: `Dns`, or `the token "dnsUrl"`. */
export function nameOfService(identifier: unknown): string {
  if (typeof identifier === 'function') return (identifier as unknown as AnyClass).name || 'a class without a name';
  if (typeof identifier === 'symbol') return `the token "${identifier.description ?? ''}"`;
  return typeof identifier === 'string' ? JSON.stringify(identifier) : String(identifier);
}

/** The same, with the line that created a token. */
export function placedNameOfService(identifier: unknown): string {
  const name = nameOfService(identifier);
  return typeof identifier === 'symbol' ? `${name}${placeOfCall(calls.get(identifier))}` : name;
}

/** Returns the identifier of a reference. A class has a prototype; an arrow function that returns it does not. */
export function resolveService(reference: unknown): unknown {
  return typeof reference === 'function' && reference.prototype === undefined ? (reference() as unknown) : reference;
}
