import type { SeenObject } from '@evenkeel/core';
import { EvenkeelError, ObjectKey } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';

/** Names the objects that an object of another kind wakes. */
export type Mapper = (object: SeenObject) => readonly ObjectKey[];

/**
 * Wakes what `mapper` names, for the new and for the old version of an updated object. `member` names the mapper in the
 * error it throws where the answer is not a list of keys.
 */
export function enqueueMapped(member: string, mapper: Mapper): EventHandler {
  return (event) => {
    const keys = new Map<string, ObjectKey>();
    for (const version of versionsOf(event)) {
      const mapped: unknown = mapper(version);
      if (!Array.isArray(mapped)) throw notKeys(member, mapped);
      for (const key of mapped) {
        if (!(key instanceof ObjectKey)) throw notKeys(member, key);
        keys.set(String(key), key);
      }
    }
    return [...keys.values()];
  };
}

function notKeys(member: string, value: unknown): EvenkeelError {
  const found = value instanceof Promise ? 'a promise' : value === null ? 'null' : typeof value;
  return new EvenkeelError(
    'invalid-mapper-result',
    `${member} returned ${found}; return a list of ObjectKey, empty where nothing is to be woken, and do not wait`,
  );
}
