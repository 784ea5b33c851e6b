import type { Clock, Timer } from '@evenkeel/core';

/** How late the event loop of this process runs its timers. */
export interface EventLoopState {
  /** How late the last beat was, in milliseconds. */
  readonly delayMs: number;
  /** The longest delay of all beats. */
  readonly longestDelayMs: number;
}

/** Ten beats a second, so that a block is measured to a tenth of a second. */
const beatMs = 100;
/** A longer block affects watches, leases and probes. */
const blockedMs = 1000;

/**
 * Measures the delay of the event loop with regular beats. Calls `blocked` for a beat that is more than a second late: some code
 * ran that long without awaiting, or the process was paused or got no CPU time.
 */
export class EventLoopWatch {
  readonly name = 'event loop watch';
  readonly #clock: Clock;
  readonly #blocked: (forMs: number) => void;
  readonly #beat: (delayMs: number) => void;
  #timer: Timer | undefined;
  #state: EventLoopState = { delayMs: 0, longestDelayMs: 0 };

  /** `beat` is called at each beat with its delay, after `blocked`. */
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
