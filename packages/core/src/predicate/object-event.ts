import type { Metadata } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** What a watch of a controller sees of an object: the whole of it, or its metadata alone. Frozen, shared with the cache. */
export type SeenObject = KubernetesObject | Metadata;

/**
 * A change of the cache. Level, not edge: several changes on the server may arrive as one. `initial` says that the object
 * was there when the cache began.
 */
export type ObjectEvent<T extends SeenObject = SeenObject> =
  | { readonly verb: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly verb: 'updated'; readonly object: T; readonly previous: T }
  | { readonly verb: 'deleted'; readonly object: T };

/**
 * Decides which events reach a controller. It must be pure and quick, and it does not change what is cached. One that
 * throws lets the event pass, so that a mistake costs a run and never loses a change.
 */
export type Predicate<T extends SeenObject = SeenObject> = (event: ObjectEvent<T>) => boolean;
