import { type Duration, durationMs } from '@evenkeel/core';

/** When backups are taken, and how many are kept. */
export interface BackupPlan {
  /** The time from one backup to the next. Default: only one backup is taken. */
  readonly interval?: Duration;
  /** The number of backups to keep, at least 1. Older ones are deleted. */
  readonly maxBackups: number;
}

/** How the backups of one plan are taken and stored. */
export interface BackupHooks<B extends { readonly takenAt: string }> {
  /** Returns the complete backups, in any order. `takenAt` is a time of RFC 3339. */
  list(): Promise<readonly B[]>;
  /** Takes a backup. If it rejects, the backup must not be listed. */
  take(): Promise<B>;
  /** Deletes a backup. Must not reject if it does not exist. */
  remove(backup: B): Promise<void>;
}

/** What {@link backUp} did. */
export interface BackupReport<B> {
  /** The backups that exist now, oldest first. */
  readonly backups: readonly B[];
  readonly taken: B | undefined;
  /** When the next backup is due; undefined if there is none. */
  readonly next: Date | undefined;
}

/**
 * Takes a backup if one is due, and deletes the oldest ones beyond `maxBackups`. Call it in each reconcile, and requeue until `next`.
 *
 * Promised:
 * - What is stored decides, not what the operator remembers. So an operator that restarts takes no backup twice, and one that was down
 *   takes one backup, not all that it missed.
 * - The first backup is taken at once.
 * - A backup is deleted only after the newer ones are stored. If `take` rejects, nothing is deleted and the error is passed on.
 *
 * Not promised: exclusion of another process. Call it only in the leader.
 *
 * @param now the current time, of the injected `Clock`
 */
export async function backUp<B extends { readonly takenAt: string }>(
  { interval, maxBackups }: BackupPlan,
  hooks: BackupHooks<B>,
  now: Date,
): Promise<BackupReport<B>> {
  const timeOf = ({ takenAt }: B): number => new Date(takenAt).getTime();
  const stored = (await hooks.list()).toSorted((one, other) => timeOf(one) - timeOf(other));
  const last = stored.at(-1);
  const dueMs = last === undefined ? 0 : interval === undefined ? Infinity : timeOf(last) + durationMs(interval);
  const taken = now.getTime() >= dueMs ? await hooks.take() : undefined;
  const all = taken === undefined ? stored : [...stored, taken];
  const kept = all.slice(-Math.max(1, maxBackups));
  for (const outdated of all.slice(0, all.length - kept.length)) await hooks.remove(outdated);
  const latest = kept.at(-1);
  const isPeriodic = interval !== undefined && latest !== undefined;
  return { backups: kept, taken, next: isPeriodic ? new Date(timeOf(latest) + durationMs(interval)) : undefined };
}
