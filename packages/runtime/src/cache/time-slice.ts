import type { Clock } from '@evenkeel/core';

/** How long a sync may hold the event loop, which belongs to everyone. */
const sliceMs = 10;

/** Splits long work: ask after each piece of it, and await {@link next} when the slice is over. */
export class TimeSlice {
  readonly #clock: Clock;
  #startMs: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startMs = clock.monotonic();
  }

  get isOver(): boolean {
    return this.#clock.monotonic() - this.#startMs >= sliceMs;
  }

  /** Lets timers and sockets have their turn, then begins a new slice. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#startMs = this.#clock.monotonic();
  }
}
