import type { Clock } from '@evenkeel/core';

/** How long a sync may block the event loop. */
const sliceMs = 10;
/** Reading the clock takes as long as a small piece of work, so it is read at most once for this many pieces. */
const mostPiecesBetweenReadings = 16;
/** For larger pieces the clock is read more often: at most this much work, estimated from the last pieces, without a reading. */
const unreadMs = 2;

/** Splits long work. Call {@link isOver} once after each piece, and await {@link next} if the slice is over. */
export class TimeSlice {
  readonly #clock: Clock;
  #startMs: number;
  #readMs: number;
  #pieces = 0;
  #nextReading = 1;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonic();
    this.#readMs = this.#startMs;
  }

  isOver(): boolean {
    if (++this.#pieces < this.#nextReading) return false;
    const nowMs = this.#clock.monotonic();
    const pieceMs = (nowMs - this.#readMs) / this.#pieces;
    this.#nextReading = Math.min(mostPiecesBetweenReadings, Math.max(1, Math.floor(unreadMs / pieceMs)));
    this.#readMs = nowMs;
    this.#pieces = 0;
    return nowMs - this.#startMs >= sliceMs;
  }

  /** Lets timers and sockets run, then starts a new slice. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#startMs = this.#clock.monotonic();
    this.#readMs = this.#startMs;
  }
}
