import type { Clock } from '@evenkeel/core';

/** How long a sync may hold the event loop, which belongs to everyone. */
const sliceMs = 10;
/** Reading the clock costs as much as a small piece of work, so it is read once in so many of them. */
const mostPiecesBetweenReadings = 16;
/** Larger pieces are counted less often: so much work at most goes by unread, as far as the last pieces tell. */
const unreadMs = 2;

/** Splits long work: ask {@link isOver} once after each piece of it, and await {@link next} when the slice is over. */
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

  /** Lets timers and sockets have their turn, then begins a new slice. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#startMs = this.#clock.monotonic();
    this.#readMs = this.#startMs;
  }
}
