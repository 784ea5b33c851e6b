import { type Clock, EvenkeelError } from '@evenkeel/core';

/** A limit on retries after failures: at most `perSecond` items per second in total, and at most `burst` at once. */
export interface RateLimit {
  readonly perSecond: number;
  /** At least 1. */
  readonly burst: number;
}

/**
 * A token bucket like client-go's `BucketRateLimiter`. It gains `perSecond` tokens per second, up to `burst`. If it is empty,
 * {@link take} reserves the next token and returns the time until that token exists.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #perMs: number;
  readonly #burst: number;
  #tokens: number;
  #atMs: number;

  /** Throws `invalid-option` if the limit would never release an item. */
  constructor(clock: Clock, { perSecond, burst }: RateLimit) {
    if (!(perSecond > 0) || !(burst >= 1)) {
      throw new EvenkeelError(
        'invalid-option',
        `rateLimit: ${perSecond} per second with a burst of ${burst} would never release an item; use a positive rate and a burst of at least 1`,
      );
    }
    this.#clock = clock;
    this.#perMs = perSecond / 1000;
    this.#burst = burst;
    this.#tokens = burst;
    this.#atMs = clock.monotonic();
  }

  /** Takes a token. Returns the milliseconds until it exists. */
  take(): number {
    const nowMs = this.#clock.monotonic();
    this.#tokens = Math.min(this.#burst, this.#tokens + (nowMs - this.#atMs) * this.#perMs) - 1;
    this.#atMs = nowMs;
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMs;
  }
}
