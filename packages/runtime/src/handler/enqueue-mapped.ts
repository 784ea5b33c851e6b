import { type ApiResource, EvenkeelError, ObjectKey, type SeenObject } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';
import { mistakeInKey } from './mistake-in-key.ts';

/** Names the objects that an object of another kind wakes. */
export type Mapper = (object: SeenObject) => readonly ObjectKey[];

export interface MappingOptions {
  /** Names the mapper in messages: `NginxController.onSecret`. */
  readonly member: string;
  readonly mapper: Mapper;
  /** Of the objects that are woken. */
  readonly resource: ApiResource;
  /** Told of each mapping that failed, and of each key that is none. */
  readonly failed: (error: unknown, object: SeenObject) => void;
}

/**
 * Wakes what a mapper names, for the new and for the old version of an updated object. Where it throws for one of them, or
 * names something that is no key, all other keys are woken.
 */
export function enqueueMapped({ member, mapper, resource, failed }: MappingOptions): EventHandler {
  return (event) => {
    const keys = new Map<string, ObjectKey>();
    for (const version of versionsOf(event)) {
      try {
        const mapped: unknown = mapper(version);
        if (!Array.isArray(mapped)) throw notKeys(member, mapped);
        for (const key of mapped as unknown[]) {
          const mistake = mistakeInKey(key, resource);
          if (mistake === undefined) keys.set(String(key), key as ObjectKey);
          else failed(new EvenkeelError('invalid-mapper-result', `${member} gave ${mistake}`), version);
        }
      } catch (error) {
        failed(error, version);
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
