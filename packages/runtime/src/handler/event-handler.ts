import type { ObjectEvent, ObjectKey, SeenObject } from '@evenkeel/core';

/** Maps an event to the keys to enqueue, each at most once. */
export type EventHandler<T extends SeenObject = SeenObject> = (event: ObjectEvent<T>) => readonly ObjectKey[];

/** Returns the versions of the object in an event: the new one and, for an update, the previous one. */
export function versionsOf<T extends SeenObject>(event: ObjectEvent<T>): readonly T[] {
  return event.verb === 'updated' ? [event.object, event.previous] : [event.object];
}
