import { type Clock, rfc3339 } from '@evenkeel/core';
import type { Job, JobSpec, Pod } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import type { EventWriter } from '../event-writer.ts';
import { isReady } from '../pod-readiness.ts';
import type { ServerClient } from '../server-client.ts';
import {
  conditionOf,
  failureTarget,
  finalOf,
  holds,
  isFinished,
  type JobFinding,
  putCondition,
  successCriteriaMet,
} from './job-conditions.ts';
import { matchFailurePolicy, matchSuccessPolicy } from './job-failure-policy.ts';
import { countIndexes, firstFreeIndexes, mergeIndexes, withIndexes } from './job-indexes.ts';
import { hasFailed, isIndexed, isTerminating, isTracked, replacesOnlyFailed } from './job-pod.ts';
import type { JobPods } from './job-pods.ts';
import {
  type Backoff,
  failuresBehind,
  failuresOf,
  indexesOf,
  isComplete,
  look,
  restartedTooOften,
  type Sight,
  statusOf,
  surplusOf,
  uidOf,
} from './job-sight.ts';
import { countUntracked, listEnded, podsPerSync, putCount, writeIndexes } from './job-tracking.ts';

const jobs = { group: 'batch', plural: 'jobs' };

/** The delay before a failed pod is replaced. It doubles with each failure in a row up to the maximum. */
const firstBackoffMs = 10_000;
const longestBackoffMs = 600_000;

/** The same delays after the server rejected a pod (`DefaultJobApiBackOff`, `MaxJobApiBackOff`). */
const firstRetryMs = 1000;
const longestRetryMs = 60_000;

/** Syncs one Job: `syncJob` and what it calls, `pkg/controller/job/job_controller.go`. */
export class JobSync {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #events: EventWriter;
  readonly #pods: JobPods;
  readonly #backoffs = new Map<string, Backoff>();
  readonly #refusals = new Map<string, number>();

  constructor(client: ServerClient, clock: Clock, events: EventWriter, pods: JobPods) {
    this.#client = client;
    this.#clock = clock;
    this.#events = events;
    this.#pods = pods;
  }

  /** Drops the state kept for a deleted Job. */
  forget({ metadata }: Job): void {
    this.#backoffs.delete(metadata.uid ?? '');
    this.#refusals.delete(metadata.uid ?? '');
  }

  /** Resolves to the delay of the next sync if nothing changes before. Rejects if a write fails; the caller must retry. */
  async run(stored: Job, spec: JobSpec): Promise<number | undefined> {
    if (isFinished(stored)) {
      this.forget(stored);
      return undefined;
    }
    const sight = look(
      copyJson(stored),
      spec,
      await this.#pods.claim(stored),
      this.#backoffs.get(stored.metadata.uid ?? ''),
    );
    const status = statusOf(sight.job);
    if (status.startTime === undefined && spec.suspend !== true) status.startTime = this.#now();
    const before = { active: status.active ?? 0, ready: status.ready, terminating: status.terminating };
    let finding = this.#finding(sight);
    let isChanged = false;
    if (finding !== undefined) {
      await this.#deleteActive(sight);
    } else {
      const isManaged = sight.job.metadata.deletionTimestamp === undefined;
      if (isManaged) await this.#manage(sight);
      if (isComplete(sight)) {
        finding = successCriteriaMet('CompletionsReached', 'Reached expected number of succeeded pods');
      } else if (isManaged) {
        isChanged = this.#setSuspended(sight);
      }
    }
    putCount(status, 'active', sight.activeCount);
    status.ready = sight.readyCount;
    status.terminating = sight.terminatingCount;
    isChanged ||=
      before.active !== sight.activeCount || before.ready !== status.ready || before.terminating !== status.terminating;
    await this.#track(sight, finding, isChanged);
    return sight.againMs;
  }

  /** Why the Job must end; undefined if it continues. */
  #finding(sight: Sight): JobFinding | undefined {
    const { job, spec, pods } = sight;
    if (holds(job, 'SuccessCriteriaMet')) return conditionOf(job.status, 'SuccessCriteriaMet');
    if (holds(job, 'FailureTarget')) return conditionOf(job.status, 'FailureTarget');
    const failure = pods
      .filter((pod) => hasFailed(job, pod))
      .map((pod) => matchFailurePolicy(job, pod).failsJob)
      .find((message) => message !== undefined);
    if (failure !== undefined) return failureTarget('PodFailurePolicy', failure);
    if (failuresOf(sight) > (spec.backoffLimit ?? 6) || restartedTooOften(sight)) {
      return failureTarget('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
    }
    const deadlineMs = this.#untilDeadlineMs(sight);
    if (deadlineMs !== undefined && deadlineMs <= 0) {
      return failureTarget('DeadlineExceeded', 'Job was active longer than specified deadline');
    }
    if (deadlineMs !== undefined) lookAgain(sight, deadlineMs);
    const { failedIndexes, succeededIndexes } = sight;
    const failed = countIndexes(failedIndexes ?? []);
    if (failed > (spec.maxFailedIndexes ?? Number.POSITIVE_INFINITY)) {
      return failureTarget(
        'MaxFailedIndexesExceeded',
        'Job has exceeded the specified maximal number of failed indexes',
      );
    }
    if (failed > 0 && failed + countIndexes(succeededIndexes) >= (spec.completions ?? 0)) {
      return failureTarget('FailedIndexes', 'Job has failed indexes');
    }
    const success = isIndexed(job) ? matchSuccessPolicy(spec, succeededIndexes) : undefined;
    return success === undefined ? undefined : successCriteriaMet('SuccessPolicy', success);
  }

  #untilDeadlineMs({ job, spec }: Sight): number | undefined {
    if (spec.activeDeadlineSeconds === undefined || job.status?.startTime === undefined || spec.suspend === true) {
      return undefined;
    }
    return Date.parse(job.status.startTime) + spec.activeDeadlineSeconds * 1000 - this.#clock.now();
  }

  /** Deletes active pods. Their finalizers remain, so that they are counted before they are removed. */
  async #deleteActive(sight: Sight): Promise<void> {
    for (const pod of sight.active) {
      await this.#pods.delete(sight.job, pod);
      countDeleted(sight, pod);
    }
  }

  /** Creates or deletes pods until the number of active pods matches the spec. */
  async #manage(sight: Sight): Promise<void> {
    const { job, spec, active } = sight;
    const parallelism = spec.parallelism ?? 1;
    let wanted = Math.min(parallelism, Math.max(0, (spec.completions ?? 0) - sight.succeeded));
    if (spec.completions === undefined) wanted = sight.succeeded > 0 ? active.length : parallelism;
    if (spec.suspend === true) wanted = 0;
    const surplus = surplusOf(sight, Math.max(0, active.length - wanted));
    if (surplus.length > 0) {
      // One sync either deletes or creates; deletions come first.
      for (const pod of spec.suspend === true ? surplus : surplus.slice(0, podsPerSync)) {
        await this.#pods.untrack(pod);
        await this.#pods.delete(job, pod);
        countDeleted(sight, pod);
      }
      return;
    }
    const leaving = replacesOnlyFailed(job) ? sight.terminatingCount : 0;
    await this.#create(sight, Math.min(wanted - leaving - active.length, podsPerSync));
  }

  async #create(sight: Sight, missing: number): Promise<void> {
    const { job, spec } = sight;
    if (missing <= 0) return;
    if (sight.failedIndexes === undefined) {
      const backoffMs = this.#backoffMs(sight.backoff);
      if (backoffMs > 0) {
        lookAgain(sight, backoffMs);
        return;
      }
    }
    if (!isIndexed(job)) {
      for (let created = 0; created < missing; created++) {
        if (!(await this.#createOne(sight, undefined))) return;
      }
      return;
    }
    let taken = withIndexes(mergeIndexes(sight.succeededIndexes, sight.failedIndexes ?? []), indexesOf(sight.active));
    if (replacesOnlyFailed(job)) taken = withIndexes(taken, indexesOf(sight.pods.filter(isTerminating)));
    for (const index of firstFreeIndexes(taken, missing, spec.completions ?? 0)) {
      const replaced = sight.toReplace.get(index);
      const backoffMs = replaced === undefined ? 0 : this.#backoffMs(failuresBehind(replaced));
      if (backoffMs > 0) lookAgain(sight, backoffMs);
      else if (!(await this.#createOne(sight, index))) return;
    }
  }

  /** Returns false if the server rejected the pod. The retry is delayed, because the cause seldom changes at once. */
  async #createOne(sight: Sight, index: number | undefined): Promise<boolean> {
    const { job, toReplace } = sight;
    const uid = job.metadata.uid ?? '';
    try {
      await this.#pods.create(job, index, index === undefined ? undefined : toReplace.get(index));
      sight.activeCount++;
      this.#refusals.delete(uid);
      return true;
    } catch (error) {
      // Reported once: each attempt has another pod name and would therefore create another Event.
      const refusals = this.#refusals.get(uid) ?? 0;
      if (refusals === 0) this.#events.warning(job, 'FailedCreate', `Error creating: ${(error as Error).message}`);
      this.#refusals.set(uid, refusals + 1);
      lookAgain(sight, Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(refusals, 10)));
      return false;
    }
  }

  #backoffMs({ failures, lastFailureMs }: Backoff): number {
    if (failures === 0) return 0;
    const backoffMs = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(failures - 1, 10));
    return Math.max(0, lastFailureMs + backoffMs - this.#clock.now());
  }

  #setSuspended({ job, spec }: Sight): boolean {
    const status = statusOf(job);
    const isSuspended = spec.suspend === true;
    const finding: JobFinding = isSuspended
      ? { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }
      : { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' };
    if (!putCondition(status, finding, this.#clock.now())) return false;
    this.#events.normal(job, isSuspended ? 'Suspended' : 'Resumed', finding.message ?? '');
    // The deadline counts from the time at which the Job was resumed.
    if (isSuspended) delete status.startTime;
    else status.startTime = this.#now();
    return true;
  }

  /**
   * Counts each finished pod once, in three steps: the status lists the pod as uncounted, the pod loses its finalizer, the
   * status counts it. After the last step the Job may be finished.
   */
  async #track(sight: Sight, finding: JobFinding | undefined, isChanged: boolean): Promise<void> {
    const { pods } = sight;
    const status = statusOf(sight.job);
    let mustFlush = isChanged;
    const tracked = new Set(pods.filter(isTracked).map(uidOf));
    mustFlush = countUntracked(status, tracked) || mustFlush;
    const { ended, listed, isAll } = listEnded(sight, finding);
    mustFlush ||= listed;
    mustFlush = writeIndexes(sight) || mustFlush;
    if (finding !== undefined) mustFlush = putCondition(status, finding, this.#clock.now()) || mustFlush;
    if (mustFlush) {
      await this.#flush(sight);
      this.#backoffs.set(sight.job.metadata.uid ?? '', sight.backoff);
      mustFlush = false;
    }
    for (const pod of ended) {
      await this.#pods.untrack(pod);
      tracked.delete(uidOf(pod));
    }
    mustFlush = countUntracked(statusOf(sight.job), tracked);
    const final = finding === undefined || !isAll ? undefined : this.#enact(sight, finalOf(finding));
    if (mustFlush || final !== undefined) await this.#flush(sight);
    if (final !== undefined) this.#announce(sight, final);
  }

  /** Sets the terminal condition, unless a pod is still uncounted or terminating. */
  #enact({ job, terminatingCount }: Sight, final: JobFinding): JobFinding | undefined {
    const status = statusOf(job);
    const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
    if (succeeded.length + failed.length > 0 || terminatingCount > 0) return undefined;
    putCondition(status, final, this.#clock.now());
    if (final.type === 'Complete') status.completionTime = this.#now();
    return final;
  }

  #announce({ job, spec }: Sight, { type, reason, message }: JobFinding): void {
    if (type !== 'Complete') {
      this.#events.warning(job, reason ?? '', message ?? '');
      return;
    }
    if (spec.completions !== undefined && (job.status?.succeeded ?? 0) > spec.completions) {
      const tooMany = 'Too many succeeded pods running after completion count reached';
      this.#events.warning(job, 'TooManySucceededPods', tooMany);
    }
    this.#events.normal(job, 'Completed', 'Job completed');
  }

  async #flush(sight: Sight): Promise<void> {
    sight.job = copyJson(await this.#client.updateStatus<Job>(jobs, sight.job));
  }

  #now(): string {
    return rfc3339(new Date(this.#clock.now()));
  }
}

function lookAgain(sight: Sight, delayMs: number): void {
  sight.againMs = Math.min(sight.againMs ?? delayMs, delayMs);
}

function countDeleted(sight: Sight, pod: Pod): void {
  sight.activeCount--;
  sight.terminatingCount++;
  if (isReady(pod)) sight.readyCount--;
}
