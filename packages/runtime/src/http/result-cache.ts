import type { Clock } from '@evenkeel/core';

interface Entry<T> {
  readonly result: Promise<T>;
  untilMs: number;
}

/** A cache of results with a time to live. Callers that request the same key share one call of `ask`. A failed call is not cached. */
export class ResultCache<T> {
  readonly #clock: Clock;
  readonly #most: number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry<T>>();

  /** Keeps at most `most` results, and removes the oldest. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `ttlMs` returns how long a result is valid after it arrived. If `ask` throws before it returns, the cache does not change. */
  get(key: string, ttlMs: (result: T) => number, ask: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#clock.monotonic() < known.untilMs) return known.result;
    const entry: Entry<T> = { result: ask(), untilMs: Number.POSITIVE_INFINITY };
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest);
    this.#entries.set(key, entry);
    entry.result.then(
      (result) => {
        entry.untilMs = this.#clock.monotonic() + ttlMs(result);
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.result;
  }
}
