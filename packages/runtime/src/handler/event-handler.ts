import type { ObjectEvent, ObjectKey, SeenObject } from '@evenkeel/core';

/** Maps an event to the keys it wakes, each at most once. */
export type EventHandler<T extends SeenObject = SeenObject> = (event: ObjectEvent<T>) => readonly ObjectKey[];

/** The versions of an object that an event speaks of: the new one, and the one it replaces. */
export function versionsOf<T extends SeenObject>(event: ObjectEvent<T>): readonly T[] {
  return event.verb === 'updated' ? [event.object, event.previous] : [event.object];
}
