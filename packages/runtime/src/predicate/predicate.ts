import type { ObjectEvent, SeenObject } from './object-event.ts';

/**
 * Decides which events reach a handler. It must be pure and quick, and it does not change what is cached. One that
 * throws lets the event pass, so that a mistake costs a run and never loses a change.
 */
export type Predicate<T extends SeenObject = SeenObject> = (event: ObjectEvent<T>) => boolean;

/**
 * Refuses updates that carry the version already seen: what a resync replays. Every version differs otherwise, so nothing
 * that happened on the server is lost.
 */
export const resourceVersionChanged: Predicate = (event) =>
  event.verb !== 'updated' || event.object.metadata.resourceVersion !== event.previous.metadata.resourceVersion;
