import type { Clock, Timer } from '@evenkeel/core';

export interface EventLoopState {
  /** How late the last beat was, in milliseconds. */
  readonly delayMs: number;
  /** The latest of all beats. */
  readonly longestDelayMs: number;
}

/** Ten beats a second: a block is known to a tenth of a second. */
const beatMs = 100;
/** A second without a turn is what a watch, a lease and a probe begin to feel. */
const blockedMs = 1000;

/**
 * Measures how late the event loop comes to what is due, by beats. A beat more than a second late is told to `blocked`: some
 * code ran that long without awaiting anything, or the process was stopped or starved.
 */
export class EventLoopWatch {
  readonly name = 'event loop watch';
  readonly #clock: Clock;
  readonly #blocked: (forMs: number) => void;
  readonly #beat: (delayMs: number) => void;
  #timer: Timer | undefined;
  #state: EventLoopState = { delayMs: 0, longestDelayMs: 0 };

  /** `beat` is called at each beat with how late it was, after a block was told. */
  constructor(clock: Clock, blocked: (forMs: number) => void, beat: (delayMs: number) => void = () => {}) {
    this.#clock = clock;
    this.#blocked = blocked;
    this.#beat = beat;
  }

  get state(): EventLoopState {
    return this.#state;
  }

  async start(): Promise<void> {
    this.#next();
  }

  async stop(): Promise<void> {
    this.#timer?.cancel();
  }

  #next(): void {
    const dueMs = this.#clock.monotonic() + beatMs;
    const beat = (): void => {
      const delayMs = Math.max(0, this.#clock.monotonic() - dueMs);
      this.#state = { delayMs, longestDelayMs: Math.max(delayMs, this.#state.longestDelayMs) };
      if (delayMs > blockedMs) this.#blocked(Math.round(delayMs));
      this.#beat(delayMs);
      this.#next();
    };
    this.#timer = this.#clock.schedule(beatMs, beat, { unref: true });
  }
}
