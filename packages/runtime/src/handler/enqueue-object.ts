import { ObjectKey } from '@evenkeel/core';
import type { EventHandler } from './event-handler.ts';

/** Enqueues the object itself. */
export const enqueueObject: EventHandler = (event) => [ObjectKey.of(event.object)];
