import type { Clock } from '@evenkeel/core';

/** The interval at which activity is checked. */
const lookEveryMs = 5;

/**
 * Resolves when the value of `activity` has not changed for `quietMs`, or after `longestMs`. `false` means that work is
 * in progress. Each check counts as one interval, however long it really takes: if the machine was too busy for this
 * process, the operator in the same process could not work either.
 */
export async function untilQuiet(
  activity: () => number | false,
  clock: Pick<Clock, 'sleep'>,
  quietMs: number,
  longestMs = Number.POSITIVE_INFINITY,
): Promise<void> {
  let last = activity();
  let forMs = 0;
  for (let allMs = 0; (last === false || forMs < quietMs) && allMs < longestMs; allMs += lookEveryMs) {
    await clock.sleep(lookEveryMs);
    const now = activity();
    forMs = now === last && now !== false ? forMs + lookEveryMs : 0;
    last = now;
  }
}
