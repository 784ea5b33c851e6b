import { type Clock, type Duration, durationMs, EvenkeelError, SystemClock } from '@evenkeel/core';

export interface EventuallyOptions {
  /**
   * How long the assertion may fail. Default: what the environment variable `EVENKEEL_EVENTUALLY_TIMEOUT` says, for a machine
   * that is slow, else `'4s'`: less than the 5 s after which Jest and Vitest end a test, and say nothing of why.
   */
  readonly timeout?: Duration;
  /** Measures the timeout and the pauses. Default: the system's, also where the server under test has another. */
  readonly clock?: Clock;
}

const timeoutVariable = 'EVENKEEL_EVENTUALLY_TIMEOUT';
const firstPauseMs = 1;
const longestPauseMs = 100;

/**
 * Calls an assertion until it no longer throws, and resolves with what it returned. Between two calls it pauses: 1 ms
 * first, twice as long each time, 100 ms at most.
 *
 * When the time is up, also while an assertion is still at it, the promise rejects with an error that says what the last
 * finished attempt said and has its error as `cause`; its stack is that of this call.
 */
export async function eventually<T>(assertion: () => T | Promise<T>, options: EventuallyOptions = {}): Promise<T> {
  const failed = new Error();
  Error.captureStackTrace(failed, eventually);
  const clock = options.clock ?? new SystemClock();
  const timeoutMs = options.timeout === undefined ? defaultTimeoutMs() : durationMs(options.timeout);
  const timeIsUp = new AbortController();
  const timer = clock.schedule(timeoutMs, () => timeIsUp.abort());
  const noTimeLeft = aborted(timeIsUp.signal);
  let lastError: unknown = new Error('the first attempt did not end');
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
  const said = lastError instanceof Error ? lastError.message : String(lastError);
  const tried = attempts === 1 ? 'tried once' : `tried ${attempts} times`;
  throw explained(failed, `not so within ${timeoutMs / 1000} s, ${tried}: ${said}`, lastError);
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

/** The stack holds the message as it was when it was taken. */
function explained(error: Error, message: string, cause: unknown): Error {
  const frames = error.stack?.slice(error.stack.indexOf('\n')) ?? '';
  error.message = message;
  error.cause = cause;
  error.stack = `Error: ${message}${frames}`;
  return error;
}
