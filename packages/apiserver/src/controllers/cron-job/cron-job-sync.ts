import { type Clock, isAlreadyExists, rfc3339, StatusError } from '@evenkeel/core';
import type { CronJob, CronJobStatus, Job } from '@evenkeel/kinds';
import { copyJson } from '../../apimachinery/index.ts';
import { parseCronSchedule } from '../../strategy/batch/cron-schedule.ts';
import { controllerOf, controllerReferenceTo } from '../controller-reference.ts';
import type { EventWriter } from '../event-writer.ts';
import { holds, isFinished } from '../job/job-conditions.ts';
import type { ServerClient } from '../server-client.ts';
import { missedStarts, untilNextStartMs, type ZonedSchedule } from './due-start.ts';
import { TimeZone } from './time-zone.ts';

const cronJobs = { group: 'batch', plural: 'cronjobs' };
const jobs = { group: 'batch', plural: 'jobs' };

const scheduledTimestamp = 'batch.kubernetes.io/cronjob-scheduled-timestamp';

interface Sight {
  readonly cronJob: CronJob;
  /** A copy that the sync changes and then writes. */
  readonly status: CronJobStatus;
  isChanged: boolean;
}

/** Syncs one CronJob. Source: `syncCronJob` and what it calls, `pkg/controller/cronjob/cronjob_controllerv2.go`. */
export class CronJobSync {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #events: EventWriter;
  /** The names of the Jobs that the server rejected last, by the uid of the CronJob. */
  readonly #refused = new Map<string, string>();

  constructor(client: ServerClient, clock: Clock, events: EventWriter) {
    this.#client = client;
    this.#clock = clock;
    this.#events = events;
  }

  /** Drops the state kept for a deleted CronJob. */
  forget({ metadata }: CronJob): void {
    this.#refused.delete(metadata.uid ?? '');
  }

  /** Resolves to the delay of the next sync if nothing changes before. Rejects if a write fails; the caller must retry. */
  async run(cronJob: CronJob): Promise<number | undefined> {
    const sight: Sight = { cronJob, status: copyJson(cronJob.status ?? {}), isChanged: false };
    // Upstream compares only the name of the owner.
    const own = this.#client
      .list<Job>(jobs, cronJob.metadata.namespace)
      .filter((job) => controllerOf(job)?.name === cronJob.metadata.name);
    let failure: unknown;
    let againMs: number | undefined;
    try {
      await this.#deleteOldest(sight, own, 'Complete', cronJob.spec?.successfulJobsHistoryLimit);
      await this.#deleteOldest(sight, own, 'Failed', cronJob.spec?.failedJobsHistoryLimit);
      this.#observe(sight, own);
      againMs = await this.#start(sight);
    } catch (error) {
      failure = error;
    }
    if (sight.isChanged) await this.#client.updateStatus(cronJobs, { ...cronJob, status: sight.status });
    if (failure !== undefined) throw failure;
    return againMs;
  }

  /** The delay until the next start, after a change of the schedule; undefined if the schedule is invalid. */
  untilNextStartMs(cronJob: CronJob): number | undefined {
    const zoned = zonedScheduleOf(cronJob);
    return typeof zoned === 'string' ? undefined : untilNextStartMs(cronJob, this.#clock.now(), zoned);
  }

  async #deleteOldest(sight: Sight, own: readonly Job[], outcome: string, limit: number | undefined): Promise<void> {
    const finished = own.filter((job) => holds(job, outcome)).toSorted(byStart);
    const surplus = limit === undefined ? 0 : Math.max(0, finished.length - limit);
    for (const job of finished.slice(0, surplus)) await this.#delete(sight, job);
  }

  async #delete(sight: Sight, { metadata: { namespace, name, uid } }: Job): Promise<void> {
    await this.#client.delete(jobs, namespace, name, { propagationPolicy: 'Background' });
    deactivate(sight, uid);
    this.#events.normal(sight.cronJob, 'SuccessfulDelete', `Deleted job ${name}`);
  }

  /** Removes finished and missing Jobs from the active ones, and records the last success. */
  #observe(sight: Sight, own: readonly Job[]): void {
    const { cronJob, status } = sight;
    for (const job of own) {
      const { name, uid } = job.metadata;
      const isActive = status.active?.some((active) => active.uid === uid) === true;
      if (!isFinished(job)) {
        if (isActive) continue;
        const what = `Saw a job that the controller did not create or forgot: ${name}`;
        this.#events.warning(cronJob, 'UnexpectedJob', what);
        continue;
      }
      const condition = holds(job, 'Complete') ? 'Complete' : 'Failed';
      if (isActive) {
        deactivate(sight, uid);
        this.#events.normal(cronJob, 'SawCompletedJob', `Saw completed job: ${name}, condition: ${condition}`);
      }
      const completed = job.status?.completionTime;
      if (condition === 'Failed' || completed === undefined) continue;
      if (Date.parse(status.lastSuccessfulTime ?? '') >= Date.parse(completed)) continue;
      status.lastSuccessfulTime = completed;
      sight.isChanged = true;
    }
    const known = new Set(own.map(({ metadata }) => metadata.uid));
    for (const { namespace, name = '', uid } of status.active ?? []) {
      if (known.has(uid) || this.#client.get(jobs, namespace, name) !== undefined) continue;
      deactivate(sight, uid);
      this.#events.normal(cronJob, 'MissingJob', `Active job went missing: ${name}`);
    }
  }

  /** Starts the Job that is due, if any. */
  async #start(sight: Sight): Promise<number | undefined> {
    const { cronJob, status } = sight;
    const { spec } = cronJob;
    if (cronJob.metadata.deletionTimestamp !== undefined || spec === undefined || spec.suspend === true) {
      return undefined;
    }
    const zoned = zonedScheduleOf(cronJob);
    if (typeof zoned === 'string') {
      const what = `unparseable schedule: ${JSON.stringify(spec.schedule)} : ${zoned}`;
      this.#events.warning(cronJob, 'UnparseableSchedule', what);
      return undefined;
    }
    const observed = { ...cronJob, status };
    const nowMs = this.#clock.now();
    const missed = missedStarts(observed, nowMs, zoned, 'with deadline');
    if (missed === undefined) {
      const why = 'time difference between two schedules is less than 1 second';
      this.#events.warning(cronJob, 'InvalidSchedule', `invalid schedule: ${spec.schedule} : ${why}`);
      return undefined;
    }
    const { latestMs } = missed;
    if (latestMs === undefined) return untilNextStartMs(observed, nowMs, zoned);
    if (missed.count === 'too many') {
      const what = 'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew';
      this.#events.warning(cronJob, 'TooManyMissedTimes', what);
    }
    if (this.#mayStart(sight, latestMs)) {
      if (spec.concurrencyPolicy === 'Replace') await this.#deleteActive(sight);
      const job = await this.#create(sight, zoned.zone, latestMs);
      if (job === undefined) return undefined;
      status.active = [...(status.active ?? []), referenceTo(job)];
      status.lastScheduleTime = rfc3339(new Date(latestMs));
      sight.isChanged = true;
    }
    return untilNextStartMs(observed, nowMs, zoned);
  }

  #mayStart({ cronJob, status }: Sight, startMs: number): boolean {
    const { startingDeadlineSeconds, concurrencyPolicy } = cronJob.spec ?? {};
    if (startingDeadlineSeconds !== undefined && startMs + startingDeadlineSeconds * 1000 < this.#clock.now()) {
      const time = new Date(startMs).toUTCString().replace('GMT', '+0000');
      this.#events.warning(cronJob, 'MissSchedule', `Missed scheduled time to start a job: ${time}`);
      return false;
    }
    const name = jobName(cronJob, startMs);
    if (status.active?.some((active) => active.name === name)) return false;
    if (Date.parse(status.lastScheduleTime ?? '') === startMs) return false;
    if (concurrencyPolicy !== 'Forbid' || (status.active ?? []).length === 0) return true;
    const what = 'Not starting job because prior execution is running and concurrency policy is Forbid';
    this.#events.normal(cronJob, 'JobAlreadyActive', what);
    return false;
  }

  async #deleteActive(sight: Sight): Promise<void> {
    for (const { namespace, name = '', uid } of sight.status.active ?? []) {
      const job = this.#client.get<Job>(jobs, namespace, name);
      if (job !== undefined) await this.#delete(sight, job);
      deactivate(sight, uid);
    }
  }

  /** Returns the new Job of a start; undefined if there is one already. */
  async #create({ cronJob }: Sight, zone: TimeZone, startMs: number): Promise<Job | undefined> {
    const wanted = jobOf(cronJob, zone, startMs);
    const { name } = wanted.metadata;
    const uid = cronJob.metadata.uid ?? '';
    try {
      const job = await this.#client.create<Job>(jobs, wanted);
      this.#refused.delete(uid);
      this.#events.normal(cronJob, 'SuccessfulCreate', `Created job ${name}`);
      return job;
    } catch (error) {
      // Upstream would record its own Job again, but never finds it: it gets the Job without a namespace, which fails.
      if (isAlreadyExists(error)) return undefined;
      const causes = error instanceof StatusError ? (error.status.details?.causes ?? []) : [];
      const isEnding = causes.some(({ reason }) => reason === 'NamespaceTerminating');
      // Reported once: every attempt would create another Event, which upstream combines.
      if (!isEnding && this.#refused.get(uid) !== name) {
        this.#events.warning(cronJob, 'FailedCreate', `Error creating job: ${(error as Error).message}`);
      }
      this.#refused.set(uid, name);
      throw error;
    }
  }
}

/** Returns the schedule, or why it is invalid. */
function zonedScheduleOf({ spec }: CronJob): ZonedSchedule | string {
  const zone = spec?.timeZone === undefined ? TimeZone.utc : TimeZone.named(spec.timeZone);
  if (zone === undefined) return `unknown time zone ${spec?.timeZone}`;
  const schedule = parseCronSchedule(spec?.schedule ?? '');
  return typeof schedule === 'string' ? schedule : { schedule, zone };
}

/** The name of the Job of a start: the name is the same for each attempt, so that a start never has two Jobs. */
function jobName({ metadata }: CronJob, startMs: number): string {
  return `${metadata.name}-${Math.floor(startMs / 60_000)}`;
}

function jobOf(cronJob: CronJob, zone: TimeZone, startMs: number): Job {
  const { metadata, spec } = copyJson(cronJob.spec?.jobTemplate ?? {});
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: jobName(cronJob, startMs),
      namespace: cronJob.metadata.namespace ?? '',
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, [scheduledTimestamp]: zone.rfc3339(startMs) },
      ownerReferences: [controllerReferenceTo(cronJob)],
    },
    ...(spec === undefined ? {} : { spec }),
  } as Job;
}

function referenceTo({
  metadata: { name, namespace, uid, resourceVersion },
}: Job): NonNullable<CronJobStatus['active']>[number] {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
}

function deactivate(sight: Sight, uid: string | undefined): void {
  const { status } = sight;
  const active = (status.active ?? []).filter((one) => one.uid !== uid);
  if (active.length === (status.active ?? []).length) return;
  if (active.length > 0) status.active = active;
  else delete status.active;
  sight.isChanged = true;
}

/** The Job that started first; one that has not started comes last. */
function byStart(left: Job, right: Job): number {
  const [first, second] = [left, right].map(({ status }) => Date.parse(status?.startTime ?? '') || Number.MAX_VALUE);
  return (first ?? 0) - (second ?? 0) || (left.metadata.name < right.metadata.name ? -1 : 1);
}
