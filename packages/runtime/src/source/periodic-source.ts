import { type Clock, ObjectKey, type Random, type Timer } from '@evenkeel/core';
import type { Informer } from '../cache/informer.ts';
import { Trigger } from '../reconcile/trigger.ts';
import type { Enqueue, Source, SourceState } from './source.ts';

export interface PeriodicSourceOptions {
  readonly informer: Informer;
  readonly periodMs: number;
  readonly clock: Clock;
  readonly random: Random;
}

/** The part of a period over which keys are spread, so that a thousand objects do not cause a thousand requests at once. */
const spread = 0.1;

/** Enqueues all objects of an informer once in each period, at random times within its first tenth. */
export class PeriodicSource implements Source {
  readonly #options: PeriodicSourceOptions;
  #timer: Timer | undefined;
  readonly state: SourceState;

  constructor(options: PeriodicSourceOptions) {
    this.#options = options;
    this.state = { name: `every ${options.periodMs} ms`, synced: true, problem: undefined, degraded: false };
  }

  start(enqueue: Enqueue): void {
    const { informer, periodMs, clock, random } = this.#options;
    const { kind } = informer.resource;
    this.#timer = clock.schedule(
      periodMs,
      () => {
        this.start(enqueue);
        for (const object of informer.lister.list()) {
          const key = ObjectKey.of(object);
          enqueue(key, new Trigger('periodic', kind, key), true, random.next() * spread * periodMs);
        }
      },
      { unref: true },
    );
  }

  async waitForSync(): Promise<void> {}

  stop(): void {
    this.#timer?.cancel();
  }
}
