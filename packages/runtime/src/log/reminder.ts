import type { Clock, Timer } from '@evenkeel/core';

/** The delay of the first reminder. Each further delay is twice as long, up to the longest. */
const firstMs = 60_000;
const longestMs = 3_600_000;

/** Repeats a report after 1, 2, 4, ... minutes, at most an hour, until it is ended. */
export class Reminder {
  readonly #clock: Clock;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Calls `tell` at once and repeatedly. It replaces the function of an earlier call. */
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
