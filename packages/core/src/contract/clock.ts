/** What a scheduled call is cancelled by. */
export interface Timer {
  cancel(): void;
}

/**
 * Where time comes from. Everything that waits or stamps takes one, so that a test moves time by hand and a run can be
 * replayed.
 */
export abstract class Clock {
  /** Wall-clock milliseconds since the epoch. May jump; for stamps only. */
  abstract now(): number;
  /** Milliseconds that never go back, from an arbitrary origin; for measuring and for deadlines. */
  abstract monotonic(): number;
  /** Calls `callback` once after `delayMs`. A pending timer does not keep the process alive when `unref` is true. */
  abstract schedule(delayMs: number, callback: () => void, options?: { unref?: boolean }): Timer;

  /** Resolves after `delayMs`; rejects with the signal's reason when it is aborted before. */
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

/** The longest delay that Node's timers take; longer ones fire at once, so they are split. */
const longestTimeoutMs = 2 ** 31 - 1;

/** The machine's clocks and Node's timers. Delays may be of any length. */
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
