import type { Clock, Random } from '@evenkeel/core';
import type { RefusedWatches } from './refused-watches.ts';

/** client-go's reflector starts with 0.8 s, doubles the delay each time, and resets it after two minutes without a failure. */
const firstDelayMs = 800;
const longestDelayMs = 30_000;
const forgetAfterMs = 120_000;

/**
 * The delay of a reflector before it retries: 0.8 to 30 s, with random jitter so that many do not retry at once. It is shorter if
 * the server rejected the request, which costs the server very little (see {@link RefusedWatches}).
 */
export class ReflectorBackoff {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #refused: RefusedWatches;
  #attempts = 0;
  #lastMs = Number.NEGATIVE_INFINITY;
  #wasRefused = false;

  constructor(clock: Clock, random: Random, refused: RefusedWatches) {
    this.#clock = clock;
    this.#random = random;
    this.#refused = refused;
  }

  /** @param isRefused whether the server has responded with a problem that a user must fix. */
  nextMs(isRefused = false): number {
    const nowMs = this.#clock.monotonic();
    // The server rejects watches of a newly served kind with 429 for a moment. This is not an overload, so earlier rejections do
    // not count.
    if (nowMs - this.#lastMs > forgetAfterMs || isRefused !== this.#wasRefused) this.#attempts = 0;
    this.#wasRefused = isRefused;
    // Half of the longest delay, because the jitter may double it.
    const longestMs = isRefused ? this.#refused.delayMs : longestDelayMs;
    const baseMs = Math.min(firstDelayMs * 2 ** this.#attempts, longestMs / 2);
    this.#attempts = Math.min(this.#attempts + 1, 30);
    const delayMs = baseMs * (1 + this.#random.next());
    this.#lastMs = nowMs + delayMs;
    return delayMs;
  }

  /** Resets the delay after a success. */
  reset(): void {
    this.#attempts = 0;
  }
}
