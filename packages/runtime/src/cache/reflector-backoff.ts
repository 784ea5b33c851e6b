import type { Clock, Random } from '@evenkeel/core';
import type { RefusedWatches } from './refused-watches.ts';

/** client-go's reflector waits 0.8 s, doubled each time, and forgets what was after two quiet minutes. */
const firstDelayMs = 800;
const longestDelayMs = 30_000;
const forgetAfterMs = 120_000;

/**
 * How long a reflector waits before it asks again: 0.8 to 30 s, spread by chance so that many do not come at once; less
 * where the server refused it, which costs the server next to nothing (see {@link RefusedWatches}).
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

  /** `isRefused` says that the server has answered, and somebody has to mend what it says. */
  nextMs(isRefused = false): number {
    const nowMs = this.#clock.monotonic();
    // A kind that is served at last is answered with 429 for a moment: a server is not overloaded because somebody asked
    // it for a while for what it did not have.
    if (nowMs - this.#lastMs > forgetAfterMs || isRefused !== this.#wasRefused) this.#attempts = 0;
    this.#wasRefused = isRefused;
    // Half of the longest delay, because chance may double it.
    const longestMs = isRefused ? this.#refused.delayMs : longestDelayMs;
    const baseMs = Math.min(firstDelayMs * 2 ** this.#attempts, longestMs / 2);
    this.#attempts = Math.min(this.#attempts + 1, 30);
    const delayMs = baseMs * (1 + this.#random.next());
    this.#lastMs = nowMs + delayMs;
    return delayMs;
  }

  /** What was asked for has come: the next delay is the first again. */
  reset(): void {
    this.#attempts = 0;
  }
}
