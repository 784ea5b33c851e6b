import type { KubernetesObject, Metadata } from '@evenkeel/core';

/** What a source sees of an object: the whole of it, or its metadata alone. Frozen, shared with the cache. */
export type SeenObject = KubernetesObject | Metadata;

/**
 * A change of the cache. Level, not edge: several changes on the server may arrive as one, and an object that was deleted
 * and made again in between arrives as an update with another uid.
 */
export type ObjectEvent<T extends SeenObject = SeenObject> =
  | { readonly verb: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly verb: 'updated'; readonly object: T; readonly previous: T }
  | { readonly verb: 'deleted'; readonly object: T };
