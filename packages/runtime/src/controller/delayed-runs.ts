import type { Clock } from '@evenkeel/core';

/** Why a key runs again without an event. */
export type DelayedVerb = 'requeued' | 'retried';

/** The keys that wait for a delay, and when it ends. Bounded by the number of keys. */
export class DelayedRuns {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, { readonly verb: DelayedVerb; readonly dueMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(key: string, verb: DelayedVerb, delayMs: number): void {
    this.#waiting.set(key, { verb, dueMs: this.#clock.monotonic() + delayMs });
  }

  /** Whether the key's delay has passed. Also true within the last millisecond, because timers may truncate fractions. */
  isDue(key: string): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.dueMs - this.#clock.monotonic() < 1;
  }

  /** Removes the delay of a key and returns its reason. */
  take(key: string): DelayedVerb | undefined {
    const verb = this.#waiting.get(key)?.verb;
    this.#waiting.delete(key);
    return verb;
  }

  /** Restores the delay of a key that the queue returned early, because it merges an immediate add with a delayed one. */
  resume(key: string, addAfter: (delayMs: number) => void): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) addAfter(Math.max(0, waiting.dueMs - this.#clock.monotonic()));
  }
}
