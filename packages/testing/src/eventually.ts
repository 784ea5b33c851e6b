import { type Clock, type Duration, durationMs, EvenkeelError, SystemClock } from '@evenkeel/core';

export interface EventuallyOptions {
  /**
   * How long the assertion may fail. Default: the environment variable `EVENKEEL_EVENTUALLY_TIMEOUT`, for slow
   * machines; otherwise `'4s'`, which is less than the 5 s after which Jest and Vitest stop a test without a reason.
   */
  readonly timeout?: Duration;
  /** The clock for the timeout and the pauses. Default: the system's, even if the server under test has another clock. */
  readonly clock?: Clock;
}

const timeoutVariable = 'EVENKEEL_EVENTUALLY_TIMEOUT';
const firstPauseMs = 1;
const longestPauseMs = 100;

/**
 * Calls an assertion until it no longer throws, and resolves to its result. Between calls it pauses for 1 ms, then
 * twice as long each time, up to 100 ms.
 *
 * When the time is up, also during a call, the promise rejects with an error that has the message of the last finished
 * call, and its error as `cause`. The stack is that of this call.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const failed = new Error();
  Error.captureStackTrace(failed, eventually);
  const clock = options.clock ?? new SystemClock();
  const timeoutMs = options.timeout === undefined ? defaultTimeoutMs() : durationMs(options.timeout);
  const timeIsUp = new AbortController();
  const timer = clock.schedule(timeoutMs, () => timeIsUp.abort());
  const noTimeLeft = aborted(timeIsUp.signal);
  let lastError: unknown = new Error('the first attempt did not finish');
  let attempts = 0;
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      attempts++;
      const attempt = Promise.resolve().then(assertion);
      const outcome = await Promise.race([
        attempt.then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        ),
        noTimeLeft,
      ]);
      if (outcome === undefined) break;
      if ('value' in outcome) return outcome.value;
      lastError = outcome.error;
      await clock.sleep(pauseMs, timeIsUp.signal).catch(() => undefined);
      if (timeIsUp.signal.aborted) break;
    }
  } finally {
    timer.cancel();
  }
  const message = lastError instanceof Error ? lastError.message : String(lastError);
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  throw explained(failed, `assertion still failing after ${timeoutMs / 1000} s (${count}): ${message}`, lastError);
}

function defaultTimeoutMs(): number {
  const given = process.env[timeoutVariable];
  if (given === undefined || given === '') return 4000;
  try {
    return durationMs(given);
  } catch (cause) {
    throw new EvenkeelError('invalid-duration', `${timeoutVariable}: ${(cause as Error).message}`, { cause });
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
}

/** Also sets the message in the stack, which contains the message of the time when the stack was taken. */
function explained(error: Error, message: string, cause: unknown): Error {
  const frames = error.stack?.slice(error.stack.indexOf('\n')) ?? '';
  error.message = message;
  error.cause = cause;
  error.stack = `Error: ${message}${frames}`;
  return error;
}
