import type { KindClass } from '../kind/api-resource.ts';
import type { MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** A class of any shape, as decorators meet it. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would refuse most classes
export type AnyClass = abstract new (...args: any[]) => unknown;

/** A class that can be made. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would refuse most classes
export type ConcreteClass<T = object> = new (...args: any[]) => T;

/** A kind's class, or a thunk of it where an import cycle makes the class undefined while decorators run. */
export type KindReference<T extends KubernetesObject = KubernetesObject> = KindClass<T> | (() => KindClass<T>);

/** The same where metadata alone may be asked for. */
export type WatchedReference<T extends KubernetesObject = KubernetesObject> =
  | KindReference<T>
  | MetadataClass<T>
  | (() => MetadataClass<T>);
