import {
  type ListerDependency,
  type ObjectOfReference,
  type ServiceIdentifier,
  type Token,
  type WatchedReference,
} from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Lister } from '../cache/lister.ts';

/** A request for a lister in `.inject()` of a builder and in a {@link provider}. */
export interface ListerRequest<T extends CachedObject = CachedObject> extends ListerDependency {
  /** Never set. It gives the compiler the type of the lister. */
  readonly gives?: Lister<T>;
}

/** Requests a lister, as `@ListerOf(kind)` does at a parameter: `controllerFor(Site).inject({ maps: listerOf(ConfigMap) })`. */
export function listerOf<R extends WatchedReference>(kind: R): ListerRequest<ObjectOfReference<R>> {
  return { listerOf: kind };
}

/** The classes, tokens and listers to inject, by the name under which functions receive them. */
export type InjectionRequests = Readonly<Record<string, ServiceIdentifier | ListerRequest>>;

/** The value that a class, a token or a request for a lister stands for. */
export type InjectedValue<R> = R extends abstract new (
  ...parameters: never[]
) => infer I
  ? I
  : R extends Token<infer V>
    ? V
    : R extends ListerRequest<infer T>
      ? Lister<T>
      : never;

/** The injected values that functions receive. */
export type Injected<R extends InjectionRequests> = { readonly [N in keyof R]: InjectedValue<R[N]> };
