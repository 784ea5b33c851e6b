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

/** Over which part of a period its keys are spread, so that a thousand objects are no thousand requests at once. */
const spread = 0.1;

/** Wakes everything that an informer holds, once in each period, at random within the first tenth of it. */
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
