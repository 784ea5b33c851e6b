/** A scheduled call, which can be cancelled. */
export interface Timer {
  cancel(): void;
}

/**
 * The source of time. All code that waits or writes timestamps uses an injected clock, so that tests control the time and runs
 * can be replayed.
 */
export abstract class Clock {
  /** The wall-clock time in milliseconds since the epoch. It may jump; use it only for timestamps. */
  abstract now(): number;
  /** Milliseconds since an arbitrary origin, which never decrease. Use it for measurements and deadlines. */
  abstract monotonic(): number;
  /** Calls `callback` once after `delayMs`. With `unref`, a pending timer does not keep the process alive. */
  abstract schedule(delayMs: number, callback: () => void, options?: { unref?: boolean }): Timer;

  /** Resolves after `delayMs`. Rejects with the signal's reason if the signal is aborted before. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        timer.cancel();
        reject(signal?.reason);
      };
      const timer = this.schedule(delayMs, () => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      });
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/** The longest delay that Node's timers support. A longer one fires at once, so it is split. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The clock of the machine, with Node's timers. Delays can have any length. */
export class SystemClock extends Clock {
  now(): number {
    return Date.now();
  }

  monotonic(): number {
    return performance.now();
  }

  schedule(delayMs: number, callback: () => void, options: { unref?: boolean } = {}): Timer {
    const due = performance.now() + delayMs;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const remainingMs = Math.max(0, due - performance.now());
      handle =
        remainingMs > longestTimeoutMs
          ? setTimeout(arm, longestTimeoutMs)
          : setTimeout(callback, Math.ceil(remainingMs));
      if (options.unref === true) handle.unref();
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  }
}
