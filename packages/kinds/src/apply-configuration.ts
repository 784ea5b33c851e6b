import type { KubernetesObject, ObjectMeta } from '@evenkeel/core';

/**
 * What server-side apply takes: the fields its manager wants to own, all optional but those that say which object is
 * meant. `apiVersion` and `kind` are the literals of the kind where its class declares them so, as built-in kinds do.
 */
export type ApplyConfiguration<T extends KubernetesObject> = Pick<T, 'apiVersion' | 'kind'> & {
  metadata: DeepPartial<ObjectMeta> & Pick<ObjectMeta, 'name'>;
} & { [K in Exclude<keyof T, keyof KubernetesObject>]?: DeepPartial<T[K]> };

/** The type with every field of every object in it optional, list elements included. */
export type DeepPartial<T> = T extends (infer E)[]
  ? DeepPartial<E>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;
