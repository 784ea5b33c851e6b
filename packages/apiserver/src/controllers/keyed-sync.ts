import type { Clock, Timer } from '@evenkeel/core';

const firstRetryMs = 5;
const longestRetryMs = 1000;

/**
 * Brings one object after the other up to date: `sync` runs for each key that was added, never twice at once for one
 * key, and once more where the key was added meanwhile. A sync that rejects is tried again after 5 ms, doubling up to a
 * second. It is the workqueue of a controller that lives in the server and reads the store itself.
 */
export class KeyedSync {
  readonly #clock: Clock;
  readonly #sync: (key: string) => Promise<void>;
  readonly #dirty = new Set<string>();
  readonly #running = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, Timer>();
  #stopped = false;

  constructor(clock: Clock, sync: (key: string) => Promise<void>) {
    this.#clock = clock;
    this.#sync = sync;
  }

  add(key: string): void {
    if (this.#stopped) return;
    this.#dirty.add(key);
    this.#run(key);
  }

  /** Adds the key later; the earlier of two such times counts no more than the later, for a sync asks again. */
  addAfter(key: string, delayMs: number): void {
    if (this.#stopped) return;
    this.#timers.get(key)?.cancel();
    const timer = this.#clock.schedule(
      delayMs,
      () => {
        this.#timers.delete(key);
        this.add(key);
      },
      { unref: true },
    );
    this.#timers.set(key, timer);
  }

  stop(): void {
    this.#stopped = true;
    this.#dirty.clear();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  #run(key: string): void {
    if (this.#running.has(key) || !this.#dirty.delete(key)) return;
    this.#running.add(key);
    void this.#sync(key).then(
      () => {
        this.#failures.delete(key);
        this.#done(key);
      },
      () => {
        const failures = this.#failures.get(key) ?? 0;
        this.#failures.set(key, failures + 1);
        this.#done(key);
        this.addAfter(key, Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(failures, 20)));
      },
    );
  }

  #done(key: string): void {
    this.#running.delete(key);
    this.#run(key);
  }
}
