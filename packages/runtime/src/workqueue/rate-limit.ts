import { type Clock, EvenkeelError } from '@evenkeel/core';

/** At most so many items a second come back after a failure, all of them together; `burst` of them at once. */
export interface RateLimit {
  readonly perSecond: number;
  /** From 1. */
  readonly burst: number;
}

/**
 * A bucket of tokens, as client-go's `BucketRateLimiter`: it fills by `perSecond` up to `burst`, and whoever finds it empty
 * is told how long to wait for a token, which is then taken already.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  /** Throws `invalid-option` where the limit would let nothing through. */
  constructor(clock: Clock, { perSecond, burst }: RateLimit) {
    if (!(perSecond > 0) || !(burst >= 1)) {
      throw new EvenkeelError(
        'invalid-option',
        `rateLimit: ${perSecond} per second with a burst of ${burst} lets nothing through; give a positive rate and a burst from 1`,
      );
    }
    this.#clock = clock;
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = clock.monotonic();
  }

  /** Takes a token. Gives the milliseconds until it is there. */
  take(): number {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs) - 1;
    this.#atMs = nowMs;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }
}
