import type { Clock, Timer } from '@evenkeel/core';

/** The first reminder of what lasts; each next one comes after twice as long, up to the longest. */
const firstMs = 60_000;
const longestMs = 3_600_000;

/** Says something again after 1, 2, 4, ... minutes, an hour at most, until it has ended. */
export class Reminder {
  readonly #clock: Clock;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `tell` at once, and instead of what it was called with before. */
  begin(tell: () => void): void {
    this.end();
    tell();
    this.#again(tell, firstMs);
  }

  end(): void {
    this.#timer?.cancel();
  }

  #again(tell: () => void, afterMs: number): void {
    this.#timer = this.#clock.schedule(
      afterMs,
      () => {
        tell();
        this.#again(tell, Math.min(afterMs * 2, longestMs));
      },
      { unref: true },
    );
  }
}
