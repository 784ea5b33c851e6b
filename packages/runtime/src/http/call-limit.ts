import type { Clock } from '@evenkeel/core';

export interface CallLimitOptions {
  /** The average that is allowed in the long run. */
  readonly perSecond: number;
  /** The calls that are allowed at once after a pause. */
  readonly burst: number;
}

/** Limits how often something is called: a token bucket. */
export class CallLimit {
  readonly #clock: Clock;
  readonly #options: CallLimitOptions;
  #left: number;
  #atMs: number;

  constructor(clock: Clock, options: CallLimitOptions) {
    this.#clock = clock;
    this.#options = options;
    this.#left = options.burst;
    this.#atMs = clock.monotonic();
  }

  /** Takes one call. Returns false if none is left now. */
  take(): boolean {
    const { perSecond, burst } = this.#options;
    const nowMs = this.#clock.monotonic();
    this.#left = Math.min(burst, this.#left + ((nowMs - this.#atMs) / 1000) * perSecond);
    this.#atMs = nowMs;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
