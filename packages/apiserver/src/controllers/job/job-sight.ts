import type { Job, JobSpec, JobStatus, Pod } from '@evenkeel/kinds';
import { isActive, isReady } from '../pod-readiness.ts';
import { matchFailurePolicy } from './job-failure-policy.ts';
import { countIndexes, hasIndex, type IndexRanges, mergeIndexes, parseIndexes, withIndexes } from './job-indexes.ts';
import {
  allIndexFailuresOf,
  completionIndexOf,
  finishedMs,
  hasFailed,
  hasValidIndex,
  indexFailuresOf,
  isIndexed,
  isTerminating,
  isTracked,
  leastFarFirst,
  restartsOf,
} from './job-pod.ts';

/** The failures of a Job's pods since the last success. */
export interface Backoff {
  readonly failures: number;
  readonly lastFailureMs: number;
}

/** The state of a Job as one sync sees it. `job` is a copy that the sync changes; `status` and `spec` are parts of it. */
export interface Sight {
  job: Job;
  readonly spec: JobSpec;
  readonly pods: readonly Pod[];
  readonly active: readonly Pod[];
  /** The count for the new status; it includes the deletions of this sync. */
  activeCount: number;
  readyCount: number;
  terminatingCount: number;
  succeeded: number;
  readonly countedIndexes: IndexRanges;
  succeededIndexes: IndexRanges;
  /** Undefined unless failures are limited by index. */
  readonly failedIndexes: IndexRanges | undefined;
  /** By index: the failed pod from which the replacement takes over the failure count. */
  readonly toReplace: ReadonlyMap<number, Pod>;
  readonly backoff: Backoff;
  /** The delay until the next sync if nothing changes before. */
  againMs: number | undefined;
}

/** Computes the state that one sync works on. The sync changes `job`. */
export function look(job: Job, spec: JobSpec, pods: readonly Pod[], backoff: Backoff | undefined): Sight {
  const status = statusOf(job);
  const { succeeded: uncountedSucceeded = [], failed: uncountedFailed = [] } = status.uncountedTerminatedPods ?? {};
  const fresh = pods.filter((pod) => isTracked(pod) && hasValidIndex(job, pod));
  const newSucceeded = fresh.filter(
    (pod) => pod.status?.phase === 'Succeeded' && !uncountedSucceeded.includes(uidOf(pod)),
  );
  const newFailed = fresh.filter((pod) => hasFailed(job, pod) && !uncountedFailed.includes(uidOf(pod)));
  const active = pods.filter(isActive);
  const completions = spec.completions ?? 0;
  const countedIndexes = isIndexed(job) ? parseIndexes(status.completedIndexes, completions) : [];
  const succeededIndexes = isIndexed(job)
    ? withIndexes(countedIndexes, indexesOf(fresh.filter((pod) => pod.status?.phase === 'Succeeded')))
    : [];
  const failedIndexes =
    isIndexed(job) && spec.backoffLimitPerIndex !== undefined
      ? withIndexes(
          parseIndexes(status.failedIndexes, completions),
          indexesOf(fresh.filter((pod) => failsIndex(job, pod))),
        )
      : undefined;
  return {
    job,
    spec,
    pods,
    active,
    activeCount: active.length,
    readyCount: active.filter(isReady).length,
    terminatingCount: pods.filter(isTerminating).length,
    succeeded: isIndexed(job)
      ? countIndexes(succeededIndexes)
      : (status.succeeded ?? 0) + newSucceeded.length + uncountedSucceeded.length,
    countedIndexes,
    succeededIndexes,
    failedIndexes,
    toReplace:
      failedIndexes === undefined
        ? new Map()
        : podsToReplace(
            fresh.filter((pod) => hasFailed(job, pod)),
            withIndexes(mergeIndexes(succeededIndexes, failedIndexes), indexesOf(active)),
          ),
    backoff: nextBackoff(backoff, newSucceeded, newFailed),
    againMs: undefined,
  };
}

export function statusOf(job: Job): JobStatus {
  job.status ??= {};
  job.status.uncountedTerminatedPods ??= {};
  return job.status;
}

export function uidOf({ metadata }: Pod): string {
  return metadata.uid ?? '';
}

export function indexesOf(pods: readonly Pod[]): number[] {
  return pods.flatMap((pod) => completionIndexOf(pod) ?? []);
}

export function isComplete({ spec, succeeded, activeCount }: Sight): boolean {
  return activeCount === 0 && succeeded >= (spec.completions ?? 1);
}

/** The number of counted failures, including those of this sync. */
export function failuresOf({ job, pods }: Sight): number {
  const uncounted = job.status?.uncountedTerminatedPods?.failed ?? [];
  const fresh = pods.filter(
    (pod) =>
      isTracked(pod) &&
      hasValidIndex(job, pod) &&
      hasFailed(job, pod) &&
      !uncounted.includes(uidOf(pod)) &&
      matchFailurePolicy(job, pod).counts,
  );
  return (job.status?.failed ?? 0) + fresh.length + uncounted.length;
}

/** Whether container restarts, which count as failures, reach the backoff limit. Source: `pastBackoffLimitOnFailure`. */
export function restartedTooOften({ spec, pods }: Sight): boolean {
  if (spec.template.spec?.restartPolicy !== 'OnFailure') return false;
  const restarts = pods
    .filter(({ status }) => status?.phase === 'Running' || status?.phase === 'Pending')
    .reduce((sum, pod) => sum + restartsOf(pod), 0);
  const limit = spec.backoffLimit ?? 6;
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function failsIndex(job: Job, pod: Pod): boolean {
  if (!hasFailed(job, pod)) return false;
  const { action, counts } = matchFailurePolicy(job, pod);
  return action === 'FailIndex' || (counts && indexFailuresOf(pod) >= (job.spec?.backoffLimitPerIndex ?? 0));
}

/** The last failed pod of each index that needs another pod. Source: `getPodsWithDelayedDeletionPerIndex`. */
function podsToReplace(failed: readonly Pod[], settled: IndexRanges): Map<number, Pod> {
  const byIndex = new Map<number, Pod>();
  for (const pod of failed) {
    const index = completionIndexOf(pod);
    if (index === undefined || hasIndex(settled, index)) continue;
    const other = byIndex.get(index);
    const isLater =
      other === undefined ||
      (allIndexFailuresOf(other) <= allIndexFailuresOf(pod) && finishedMs(pod) >= finishedMs(other));
    if (isLater) byIndex.set(index, pod);
  }
  return byIndex;
}

export function failuresBehind(replaced: Pod): Backoff {
  return { failures: allIndexFailuresOf(replaced) + 1, lastFailureMs: finishedMs(replaced) };
}

/** Source: `newBackoffRecord`, `pkg/controller/job/backoff_utils.go`. */
function nextBackoff(before: Backoff | undefined, succeeded: readonly Pod[], failed: readonly Pod[]): Backoff {
  const known = before ?? { failures: 0, lastFailureMs: 0 };
  if (succeeded.length === 0 && failed.length === 0) return known;
  const lastSuccessMs = Math.max(...succeeded.map(finishedMs), Number.NEGATIVE_INFINITY);
  const since = failed.map(finishedMs).filter((failureMs) => failureMs > lastSuccessMs);
  const failures = (succeeded.length === 0 ? known.failures : 0) + since.length;
  return { failures, lastFailureMs: Math.max(...since, 0) };
}

/** Active pods to delete: those with duplicate or invalid indexes, then those that have made the least progress. */
export function surplusOf({ job, spec, active }: Sight, atLeast: number): Pod[] {
  if (!isIndexed(job)) return active.toSorted(leastFarFirst).slice(0, atLeast);
  const surplus: Pod[] = [];
  const kept: Pod[] = [];
  const byIndex = Map.groupBy(active, (pod) => completionIndexOf(pod) ?? Number.POSITIVE_INFINITY);
  for (const [index, same] of byIndex) {
    const ordered = same.toSorted(leastFarFirst);
    const keeps = index < (spec.completions ?? 0) ? 1 : 0;
    surplus.push(...ordered.slice(0, ordered.length - keeps));
    kept.push(...ordered.slice(ordered.length - keeps));
  }
  if (surplus.length < atLeast) surplus.push(...kept.toSorted(leastFarFirst).slice(0, atLeast - surplus.length));
  return surplus;
}
