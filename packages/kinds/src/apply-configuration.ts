import type { KubernetesObject, ObjectMeta } from '@evenkeel/core';
import type { BuiltInKinds } from './generated/built-in-kinds.ts';

/**
 * The parameter type of server-side apply: the fields that the manager wants to own. All are optional except those that
 * identify the object. `apiVersion` and `kind` are literals if the class declares them as literals, as built-in kinds
 * do.
 */
export type ApplyConfiguration<T extends KubernetesObject> = Pick<T, 'apiVersion' | 'kind'> & {
  metadata: DeepPartial<ObjectMeta> & Pick<ObjectMeta, 'name'>;
} & { [K in Exclude<keyof T, keyof KubernetesObject>]?: DeepPartial<T[K]> };

/** The type with all fields optional at every depth, including elements of lists. */
export type DeepPartial<T> = T extends (infer E)[]
  ? DeepPartial<E>[]
  : T extends object
    ? { [K in keyof T]?: DeepPartial<T[K]> }
    : T;

/** The built-in kind with this apiVersion and kind; never for other kinds, and if one of the two is not a literal. */
export type BuiltInKind<A extends string, N extends string> = `${A} ${N}` extends infer Name extends keyof BuiltInKinds
  ? BuiltInKinds[Name]
  : never;
