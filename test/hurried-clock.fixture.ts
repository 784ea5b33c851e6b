import { SystemClock, type Timer } from '@evenkeel/core';

/** The default speed of delays: a backoff of 0.8 s takes 16 ms, the 70 s of silence 1.4 s. */
const manyTimes = 50;

/**
 * A clock with shorter delays. Sleeps, such as backoffs, may be even shorter: they grow while a connection breaks
 * repeatedly, but limits of silence must stay longer than the responses of a busy machine take.
 */
export class HurriedClock extends SystemClock {
  readonly #times: number;
  readonly #sleepTimes: number;

  constructor({ times = manyTimes, sleepTimes = times }: { times?: number; sleepTimes?: number } = {}) {
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
