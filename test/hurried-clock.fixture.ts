import { SystemClock, type Timer } from '@evenkeel/core';

/** How many times as fast delays pass: a backoff of 0.8 s takes 16 ms, the 70 s of silence 1.4 s. */
const times = 50;

/**
 * A clock that hurries. What sleeps, as backoffs do, may hurry still more: those grow where a connection breaks again and
 * again, while limits of silence must stay longer than a busy machine takes to answer.
 */
export class HurriedClock extends SystemClock {
  readonly #sleepTimes: number;

  constructor({ sleepTimes = times }: { sleepTimes?: number } = {}) {
    super();
    this.#sleepTimes = sleepTimes;
  }

  override schedule(afterMs: number, callback: () => void, options?: { unref?: boolean }): Timer {
    return super.schedule(afterMs / times, callback, options);
  }

  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    // It is scheduled, which hurries it as all else.
    return super.sleep((ms * times) / this.#sleepTimes, signal);
  }

  override monotonic(): number {
    return super.monotonic() * times;
  }
}
