import type { ApiResource, ObjectKey, SeenObject } from '@evenkeel/core';
import { EvenkeelError } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';
import { readMapped } from './read-mapped.ts';

/** Maps an object of another kind to the keys to enqueue. */
export type Mapper = (object: SeenObject) => readonly ObjectKey[];

export interface MappingOptions {
  /** The name of the mapper in messages: `NginxController.onSecret`. */
  readonly member: string;
  readonly mapper: Mapper;
  /** The kind of the objects to enqueue. */
  readonly resource: ApiResource;
  /** Called for each mapping that failed, and for each invalid key. */
  readonly failed: (error: unknown, object: SeenObject) => void;
}

/**
 * Enqueues the keys that a mapper returns, for the new and for the old version of an updated object. If the mapper throws for
 * one version, or returns an invalid key, all other keys are still enqueued.
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
