import type { Clock, Random } from '@evenkeel/core';

/** client-go's reflector waits 0.8 s, doubled each time, and forgets what was after two quiet minutes. */
const firstDelayMs = 800;
const longestDelayMs = 30_000;
const forgetAfterMs = 120_000;

/** How long a reflector waits before it asks again: 0.8 to 30 s, spread by chance so that many do not come at once. */
export class ReflectorBackoff {
  readonly #clock: Clock;
  readonly #random: Random;
  #attempts = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock, random: Random) {
    this.#clock = clock;
    this.#random = random;
  }

  nextMs(): number {
    const nowMs = this.#clock.monotonic();
    if (nowMs - this.#lastMs > forgetAfterMs) this.#attempts = 0;
    // Half of the longest delay, because chance may double it.
    const baseMs = Math.min(firstDelayMs * 2 ** this.#attempts, longestDelayMs / 2);
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
