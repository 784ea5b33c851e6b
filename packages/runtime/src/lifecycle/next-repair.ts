import { type Duration, durationMs } from '@evenkeel/core';

/** How many repairs are allowed in a period. */
export interface RepairBudget {
  /** At least 1. */
  readonly max: number;
  readonly per: Duration;
}

/** A repair that was started. Keep them in the status. */
export interface Repair {
  /** The uid of what was repaired, such as a pod. */
  readonly uid: string;
  /** When it was started, as a time of RFC 3339. */
  readonly time: string;
}

/** What to do next with what has failed. */
export type NextRepair<M> =
  /** Nothing has failed. */
  | { readonly outcome: 'none' }
  /** Store these repairs in the status, do nothing else in this run, and reconcile again at once. */
  | { readonly outcome: 'record'; readonly repairs: readonly Repair[] }
  /** Repair this member now, for example delete its pod. It has been recorded. */
  | { readonly outcome: 'repair'; readonly member: M }
  /** The budget is used up until this time. Report it, so that a person looks for the cause. */
  | { readonly outcome: 'exhausted'; readonly until: Date };

/**
 * Returns which failed member of an operand to repair next, within a budget: an operator that repairs the same fault again and again hides
 * it, and can make it worse. Call it in each reconcile with the observed state.
 *
 * Promised, if the result `record` is stored before the next call:
 * - No more than `max` repairs are started in any period of `per`, whenever the operator is killed.
 * - A recorded repair is returned again until the member no longer fails or no longer exists. So the repair must be idempotent. It counts
 *   once.
 *
 * Not promised: that a repair helps. A new pod has a new uid, so its repair counts again.
 *
 * @param failed the members that fail now, the most important first
 * @param repairs what the status contains
 * @param now the current time, of the injected `Clock`
 */
export function nextRepair<M extends { readonly uid: string }>(
  failed: readonly M[],
  repairs: readonly Repair[],
  { max, per }: RepairBudget,
  now: Date,
): NextRepair<M> {
  const recorded = failed.find(({ uid }) => repairs.some((repair) => repair.uid === uid));
  if (recorded !== undefined) return { outcome: 'repair', member: recorded };
  const [first] = failed;
  if (first === undefined) return { outcome: 'none' };
  const endOf = ({ time }: Repair): number => Date.parse(time) + durationMs(per);
  const counted = repairs
    .filter((repair) => endOf(repair) > now.getTime())
    .toSorted((one, other) => endOf(one) - endOf(other));
  // It is the one whose end makes room for another one.
  const last = counted.at(-Math.max(1, max));
  if (last !== undefined) return { outcome: 'exhausted', until: new Date(endOf(last)) };
  return { outcome: 'record', repairs: [...counted, { uid: first.uid, time: now.toISOString() }] };
}
