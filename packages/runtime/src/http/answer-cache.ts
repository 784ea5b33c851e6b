import type { Clock } from '@evenkeel/core';

interface Entry<T> {
  readonly answer: Promise<T>;
  untilMs: number;
}

/** Answers that hold for a while. Who asks for the same at one time asks once; a question that failed is asked again. */
export class AnswerCache<T> {
  readonly #clock: Clock;
  readonly #most: number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry<T>>();

  /** At most `most` answers are kept; the oldest goes. */
  constructor(clock: Clock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `ttlMs` says how long an answer holds, from when it came. */
  get(key: string, ttlMs: (answer: T) => number, ask: () => Promise<T>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined && this.#clock.monotonic() < known.untilMs) return known.answer;
    this.#entries.delete(key);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size >= this.#most && oldest !== undefined) this.#entries.delete(oldest);
    const entry: Entry<T> = { answer: ask(), untilMs: Number.POSITIVE_INFINITY };
    this.#entries.set(key, entry);
    entry.answer.then(
      (answer) => {
        entry.untilMs = this.#clock.monotonic() + ttlMs(answer);
      },
      () => {
        if (this.#entries.get(key) === entry) this.#entries.delete(key);
      },
    );
    return entry.answer;
  }
}
