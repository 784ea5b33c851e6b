import type { Metadata } from '../kind/metadata.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** An object that a watch of a controller delivers: complete, or only its metadata. It is frozen and shared with the cache. */
export type SeenObject = KubernetesObject | Metadata;

/**
 * A change of the cache. Several changes on the server may arrive as one event. `initial` is true if the object already existed
 * when the cache started.
 */
export type ObjectEvent<T extends SeenObject = SeenObject> =
  | { readonly verb: 'added'; readonly object: T; readonly initial: boolean }
  | { readonly verb: 'updated'; readonly object: T; readonly previous: T }
  | { readonly verb: 'deleted'; readonly object: T };

/**
 * Decides which events reach a controller. It must be pure and fast, and does not affect what is cached. If it throws, the event
 * passes, so that a mistake causes an extra run and never loses a change.
 */
export type Predicate<T extends SeenObject = SeenObject> = (event: ObjectEvent<T>) => boolean;
