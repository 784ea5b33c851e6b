import { SystemClock, type Timer } from '@evenkeel/core';

/** The default speed of delays: a backoff of 0.8 s takes 16 ms, the 70 s of silence 1.4 s. */
const manyTimes = 50;

/** The options of {@link HurriedClock}. */
export interface HurriedClockOptions {
  /** By which factor delays, timeouts and durations of requeues are shorter. Default: 50. */
  readonly times?: number;
  /**
   * By which factor sleeps, such as backoffs of a client, are shorter. Sleeps grow while a connection breaks repeatedly, but limits of
   * silence must stay longer than the responses of a busy machine take. Default: `times`.
   */
  readonly sleepTimes?: number;
}

/**
 * A clock for tests, with shorter delays: with the default, a requeue after 5 s takes 100 ms. Pass it as
 * `Environment.create({ clock: new HurriedClock() })`, so that sweeps do not wait for backoffs and requeues. The time of day is the
 * system's, so timestamps are real.
 */
export class HurriedClock extends SystemClock {
  readonly #times: number;
  readonly #sleepTimes: number;

  constructor({ times = manyTimes, sleepTimes = times }: HurriedClockOptions = {}) {
    super();
    this.#times = times;
    this.#sleepTimes = sleepTimes;
  }

  override schedule(afterMs: number, callback: () => void, options?: { unref?: boolean }): Timer {
    return super.schedule(afterMs / this.#times, callback, options);
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // Uses schedule(), which shortens it like all delays.
    return super.sleep((ms * this.#times) / this.#sleepTimes, signal);
  }

  override monotonic(): number {
    return super.monotonic() * this.#times;
  }
}
