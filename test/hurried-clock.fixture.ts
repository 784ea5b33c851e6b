import { SystemClock, type Timer } from '@evenkeel/core';

/** How many times as fast delays pass where nothing else is said: a backoff of 0.8 s takes 16 ms, the 70 s of silence 1.4 s. */
const manyTimes = 50;

/**
 * A clock that hurries. What sleeps, as backoffs do, may hurry still more: those grow where a connection breaks again and
 * again, while limits of silence must stay longer than a busy machine takes to answer.
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
    // It is scheduled, which hurries it as all else.
    return super.sleep((ms * this.#times) / this.#sleepTimes, signal);
  }

  override monotonic(): number {
    return super.monotonic() * this.#times;
  }
}
