import { type Clock, type Duration, durationMs, EvenkeelError, messageOf, SystemClock } from '@evenkeel/core';
import { journalReport } from './journal/journal-report.ts';
import { openJournals } from './journal/open-journals.ts';
import type { OperatorJournal } from './journal/operator-journal.ts';
import { WatchedReads } from './journal/watched-reads.ts';

/** The options of {@link eventually}. */
export interface EventuallyOptions {
  /**
   * How long the assertion may fail. Default: the environment variable `EVENKEEL_EVENTUALLY_TIMEOUT`, for slow
   * machines; otherwise `'4s'`, which is less than the 5 s after which Jest and Vitest stop a test without a reason.
   */
  readonly timeout?: Duration;
  /** The clock for the timeout and the pauses. Default: the system's, even if the server under test has another clock. */
  readonly clock?: Clock;
}

/** The end of a wait whose assertion failed until the end. */
export interface FailedWait {
  /** The error of the last finished attempt. */
  readonly error: unknown;
  /** `assertion still failing after 4 s (60 attempts): expected 3 replicas, got 2` */
  readonly message: string;
  /** What the operators did, to append to a message; see {@link journalReport}. */
  readonly report: string;
}

const timeoutVariable = 'EVENKEEL_EVENTUALLY_TIMEOUT';
const firstPauseMs = 1;
const longestPauseMs = 100;

/**
 * Calls an assertion until it passes or the time is up. All waits of this package use it.
 *
 * @param journals the operators of the report. Default: those of the environments in which the last attempt read
 * something, or else those of all open environments.
 */
export async function waitFor<T>(
  assertion: () => T | Promise<T>,
  options: EventuallyOptions = {},
  journals?: readonly OperatorJournal[],
): Promise<{ readonly value: T } | FailedWait> {
  const clock = options.clock ?? new SystemClock();
  const timeoutMs = options.timeout === undefined ? defaultTimeoutMs() : durationMs(options.timeout);
  const timeIsUp = new AbortController();
  const timer = clock.schedule(timeoutMs, () => timeIsUp.abort());
  const noTimeLeft = aborted(timeIsUp.signal);
  let error: unknown = new Error('the first attempt did not finish');
  let attempts = 0;
  let reads = new WatchedReads();
  try {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      attempts++;
      reads = new WatchedReads();
      const attempt = reads.during(() => Promise.resolve().then(assertion));
      const outcome = await Promise.race([
        attempt.then(
          (value) => ({ value }),
          (caught: unknown) => ({ caught }),
        ),
        noTimeLeft,
      ]);
      if (outcome === undefined) break;
      if ('value' in outcome) return outcome;
      error = outcome.caught;
      await clock.sleep(pauseMs, timeIsUp.signal).catch(() => undefined);
      if (timeIsUp.signal.aborted) break;
    }
  } finally {
    timer.cancel();
  }
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const message = `assertion still failing after ${timeoutMs / 1000} s (${count}): ${messageOf(error)}`;
  const reporting = journals ?? (reads.journals.length > 0 ? reads.journals : openJournals());
  return { error, message, report: journalReport(reporting, reads.targets) };
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
