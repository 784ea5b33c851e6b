import type { JobStatus, Pod } from '@evenkeel/kinds';
import type { JobFinding } from './job-conditions.ts';
import { matchFailurePolicy } from './job-failure-policy.ts';
import { countIndexes, formatIndexes, hasIndex } from './job-indexes.ts';
import { completionIndexOf, hasFailed, hasValidIndex, isIndexed, isTracked } from './job-pod.ts';
import { type Sight, statusOf, uidOf } from './job-sight.ts';

/** The most pods that one sync creates, deletes or counts (`MaxPodCreateDeletePerSync`, `MaxUncountedPods`). */
export const podsPerSync = 500;

/** Sets a count, or deletes it if it is zero, because Go omits zero from the JSON. */
export function putCount(status: JobStatus, field: 'active' | 'succeeded' | 'failed', count: number): void {
  if (count === 0) delete status[field];
  else status[field] = count;
}

/** Whether the finalizer of a pod can be removed. Source: `canRemoveFinalizer`. */
function mayGo({ job, toReplace }: Sight, pod: Pod, isEnding: boolean): boolean {
  if (job.metadata.deletionTimestamp !== undefined || isEnding || pod.status?.phase === 'Succeeded') return true;
  if (!hasFailed(job, pod)) return false;
  const index = completionIndexOf(pod);
  return index === undefined || toReplace.get(index)?.metadata.uid !== pod.metadata.uid;
}

export interface EndedPods {
  readonly ended: readonly Pod[];
  /** Whether pods were added to the list in the status. */
  readonly listed: boolean;
  /** False if there are too many pods for one sync. */
  readonly isAll: boolean;
}

/** Adds the finished pods to the status as uncounted. Successes of an Indexed Job are counted by index instead. */
export function listEnded(sight: Sight, finding: JobFinding | undefined): EndedPods {
  const { job, pods, countedIndexes } = sight;
  const status = statusOf(job);
  status.uncountedTerminatedPods ??= {};
  const uncounted = status.uncountedTerminatedPods;
  const isFailing = finding?.type === 'FailureTarget';
  const order = isIndexed(job) ? pods.toSorted((left, right) => indexOrder(left) - indexOrder(right)) : pods;
  const ended: Pod[] = [];
  const newIndexes = new Set<number>();
  let listed = false;
  for (const pod of order) {
    if (!isTracked(pod) || !mayGo(sight, pod, finding !== undefined)) continue;
    ended.push(pod);
    const uid = uidOf(pod);
    const { succeeded = [], failed = [] } = uncounted;
    if (pod.status?.phase === 'Succeeded' && !failed.includes(uid)) {
      const index = completionIndexOf(pod);
      if (!isIndexed(job)) {
        if (succeeded.includes(uid)) continue;
        uncounted.succeeded = [...succeeded, uid];
        listed = true;
      } else if (hasValidIndex(job, pod) && index !== undefined && !hasIndex(countedIndexes, index)) {
        newIndexes.add(index);
        listed = true;
      }
      // If the Job has failed, every pod that did not succeed counts as failed.
    } else if ((hasFailed(job, pod) || isFailing) && !failed.includes(uid) && hasValidIndex(job, pod)) {
      if (!matchFailurePolicy(job, pod).counts) continue;
      uncounted.failed = [...failed, uid];
      listed = true;
    }
    const count = newIndexes.size + (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0);
    if (count >= podsPerSync) return { ended, listed, isAll: false };
  }
  return { ended, listed, isAll: true };
}

function indexOrder(pod: Pod): number {
  return completionIndexOf(pod) ?? -1;
}

/** Writes the indexes to the status. Returns whether they changed. */
export function writeIndexes({ job, succeededIndexes, failedIndexes }: Sight): boolean {
  if (!isIndexed(job)) return false;
  const status = statusOf(job);
  const completed = formatIndexes(succeededIndexes);
  const failed = failedIndexes === undefined ? undefined : formatIndexes(failedIndexes);
  const isChanged = completed !== (status.completedIndexes ?? '') || failed !== status.failedIndexes;
  putCount(status, 'succeeded', countIndexes(succeededIndexes));
  if (completed === '') delete status.completedIndexes;
  else status.completedIndexes = completed;
  if (failed === undefined) delete status.failedIndexes;
  else status.failedIndexes = failed;
  return isChanged;
}

/** Counts the listed pods that have lost their finalizer and removes them from the list. Returns whether any did. */
export function countUntracked(status: JobStatus, tracked: ReadonlySet<string>): boolean {
  status.uncountedTerminatedPods ??= {};
  const uncounted = status.uncountedTerminatedPods;
  let isChanged = false;
  for (const list of ['succeeded', 'failed'] as const) {
    const listed = uncounted[list] ?? [];
    const left = listed.filter((uid) => tracked.has(uid));
    if (left.length === listed.length) continue;
    isChanged = true;
    putCount(status, list, (status[list] ?? 0) + listed.length - left.length);
    if (left.length === 0) delete uncounted[list];
    else uncounted[list] = left;
  }
  return isChanged;
}
