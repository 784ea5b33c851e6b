import type { KindClass } from '../kind/api-resource.ts';
import type { Metadata, MetadataClass } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** Any class, also an abstract one. The target of a class decorator. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would reject most classes
export type AnyClass = abstract new (...args: any[]) => unknown;

/** A class that can be constructed. */
// biome-ignore lint/suspicious/noExplicitAny: a constructor's parameters are contravariant; unknown[] would reject most classes
export type ConcreteClass<T = object> = new (...args: any[]) => T;

/** A kind's class, or a function that returns it, for import cycles in which the class is undefined while decorators run. */
export type KindReference<T extends KubernetesObject = KubernetesObject> = KindClass<T> | (() => KindClass<T>);

/** The same, or a reference to the metadata of a kind. */
export type WatchedReference<T extends KubernetesObject = KubernetesObject> =
  | KindReference<T>
  | MetadataClass<T>
  | (() => MetadataClass<T>);

/** The type of the objects of a reference: the kind, or its metadata. */
export type ObjectOfReference<R extends WatchedReference> =
  R extends KindClass<infer T>
    ? T
    : R extends MetadataClass<infer T>
      ? Metadata<T>
      : R extends () => KindClass<infer T>
        ? T
        : R extends () => MetadataClass<infer T>
          ? Metadata<T>
          : never;

/**
 * The name of a kind in the compiler's messages. Classes of built-in kinds have a literal, others a string.
 */
export type KindWord<T extends Pick<KubernetesObject, 'kind'>> = string extends T['kind'] ? 'the kind' : T['kind'];
