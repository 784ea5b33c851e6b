import type { ApiResource, ObjectKey, SeenObject } from '@evenkeel/core';
import { EvenkeelError } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';
import { readMapped } from './read-mapped.ts';

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
        const { keys: mapped, mistakes } = readMapped(mapper(version), resource);
        for (const key of mapped) keys.set(String(key), key);
        for (const { what } of mistakes)
          failed(new EvenkeelError('invalid-mapper-result', `${member} ${what}`), version);
      } catch (error) {
        failed(error, version);
      }
    }
    return [...keys.values()];
  };
}
