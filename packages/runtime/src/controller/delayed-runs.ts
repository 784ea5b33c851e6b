import type { Clock } from '@evenkeel/core';

/** Why a key comes back without an event. */
export type DelayedVerb = 'requeued' | 'retried';

/** Which keys wait for a delay, and for how much longer. Bounded by the number of keys. */
export class DelayedRuns {
  readonly #clock: Clock;
  readonly #waiting = new Map<string, { readonly verb: DelayedVerb; readonly dueMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  set(key: string, verb: DelayedVerb, delayMs: number): void {
    this.#waiting.set(key, { verb, dueMs: this.#clock.monotonic() + delayMs });
  }

  /** Whether the key's delay has passed; also true of one that passes within this millisecond, which timers may cut off. */
  isDue(key: string): boolean {
    const waiting = this.#waiting.get(key);
    return waiting !== undefined && waiting.dueMs - this.#clock.monotonic() < 1;
  }

  /** Why the key would have come back; it no longer waits. */
  take(key: string): DelayedVerb | undefined {
    const verb = this.#waiting.get(key)?.verb;
    this.#waiting.delete(key);
    return verb;
  }

  /** Puts back the delay of a key that was handed out early: the queue merges an add now with one that waits. */
  resume(key: string, addAfter: (delayMs: number) => void): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) addAfter(Math.max(0, waiting.dueMs - this.#clock.monotonic()));
  }
}
