import type { Clock } from '@evenkeel/core';

/** How often it is looked whether an operator still does something. */
const lookEveryMs = 5;

/**
 * Resolves when what `activity` tells has not changed for `quietMs`, or after `longestMs`; while it tells false, there is
 * something under way. However long it takes from one look to the next, that counts as a look is meant to take: a machine
 * that had no time for this process had none for the operator in it either.
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
