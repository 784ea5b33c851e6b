import {
  awaitChange,
  Clock,
  Controller,
  Index,
  ignoreNotFound,
  Job,
  Lister,
  ListerOf,
  ObjectKey,
  Owns,
  Rbac,
  Reconcile,
  ReconcileContext,
  type ReconcileResult,
  requeueAfter,
} from 'evenkeel';
import { CronJob } from './cron-job.ts';
import { hasEnded, isRunning, jobFor, latestFirst, referenceTo, startOf, timestamp } from './job.ts';
import { type DueStarts, Schedule } from './schedule.ts';

@Controller(CronJob)
@Owns(Job)
@Rbac(Job, ['delete'], { reason: 'Jobs beyond the history limits, and those that are replaced' })
export class CronJobController {
  constructor(
    @ListerOf(Job) private readonly jobs: Lister<Job>,
    private readonly clock: Clock,
  ) {}

  /** Called when a CronJob or one of its Jobs has changed, and at the time of the next start. */
  @Reconcile({ maxConcurrent: 4 })
  async reconcile(cronJob: CronJob, context: ReconcileContext): Promise<ReconcileResult> {
    const jobs = this.jobs.byIndex('owner', cronJob.metadata.uid ?? '').toSorted(latestFirst);
    noteJobs(cronJob, jobs);
    const next = await this.startWhatIsDue(cronJob, jobs.filter(isRunning), context);
    await deleteOldJobs(cronJob, jobs, context);
    // Uses the current time, because the calls above took some.
    return next === undefined ? awaitChange() : requeueAfter(`${Math.max(0, next.getTime() - this.clock.now())}ms`);
  }

  /** Returns the uid of a Job's CronJob. A uid, because an earlier CronJob of the same name is another object. */
  @Index('owner', Job)
  ownerOf({ metadata }: Job): string | undefined {
    return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
  }

  /** Resolves to the next start; to undefined if there is none until a user changes the CronJob. */
  private async startWhatIsDue(cronJob: CronJob, running: Job[], context: ReconcileContext): Promise<Date | undefined> {
    if (cronJob.spec.suspend) {
      report(context, 'Suspended', 'No Job is started while spec.suspend is true');
      return undefined;
    }
    const schedule = readSchedule(cronJob, context);
    if (schedule === undefined) return undefined;

    const now = new Date(this.clock.now());
    const next = schedule.next(now);
    const last = lastStart(cronJob);
    const earliest = earliestStart(cronJob, last, now);
    const due = schedule.due(earliest, now);
    const missed = schedule.due(last, earliest);
    const [blocking] = cronJob.spec.concurrencyPolicy === 'Forbid' ? running : [];

    if (due !== undefined && blocking !== undefined) {
      report(
        context,
        'Waiting',
        `The start of ${timestamp(due.latest)} waits until Job ${blocking.metadata.name} has finished`,
      );
    } else if (due === undefined && missed !== undefined) {
      report(
        context,
        'DeadlineMissed',
        `The start of ${timestamp(missed.latest)} is past its deadline and was skipped`,
      );
    } else {
      if (due !== undefined) await start(cronJob, due, running, context);
      context.conditions.set('Ready', true, 'AsScheduled', `The next start is at ${timestamp(next)}`);
    }
    return next;
  }
}

/** Copies the state of the Jobs into the status. The last start remains when its Job is deleted. */
function noteJobs({ status }: CronJob, jobs: readonly Job[]): void {
  status.active = jobs.filter(isRunning).map(referenceTo);
  const latest = jobs.map(startOf).find((start) => start !== undefined);
  if (latest !== undefined && latest > new Date(status.lastScheduleTime ?? 0)) {
    status.lastScheduleTime = timestamp(latest);
  }
}

/** Reads the schedule. If it is invalid, reports that and returns undefined. */
function readSchedule({ spec }: CronJob, context: ReconcileContext): Schedule | undefined {
  try {
    return new Schedule(spec.schedule, spec.timeZone);
  } catch (error) {
    report(context, 'InvalidSchedule', `invalid spec.schedule or spec.timeZone: ${(error as Error).message}`);
    return undefined;
  }
}

/** Returns the last start so far; for a new CronJob, its creation time, because earlier starts do not count as missed. */
function lastStart({ metadata, status }: CronJob): Date {
  return new Date(status.lastScheduleTime ?? metadata.creationTimestamp ?? 0);
}

/** Returns the time after which missed starts are made up for. */
function earliestStart({ spec }: CronJob, last: Date, now: Date): Date {
  const { startingDeadlineSeconds: deadline } = spec;
  return deadline === undefined ? last : new Date(Math.max(last.getTime(), now.getTime() - deadline * 1000));
}

/** Starts one Job, for the latest start. Earlier missed starts are not made up for. */
async function start(
  cronJob: CronJob,
  { latest, tooMany }: DueStarts,
  running: readonly Job[],
  context: ReconcileContext,
): Promise<void> {
  const { events } = context;
  if (tooMany) events.warning('TooManyMissedStarts', tooManyMissedStarts);
  const replaced = cronJob.spec.concurrencyPolicy === 'Replace' ? running : [];
  try {
    for (const job of replaced) {
      await deleteJob(job, context);
      events.normal('Replaced', `Deleted Job ${job.metadata.name}, which was still running`);
    }
    const job = await context.apply(jobFor(cronJob, latest));
    events.normal('Started', `Started Job ${job.metadata.name}`);
    cronJob.status.active = [job, ...running.filter((other) => !replaced.includes(other))].map(referenceTo);
    cronJob.status.lastScheduleTime = timestamp(latest);
  } catch (error) {
    report(context, 'StartFailed', String(error));
    throw error; // The status is still written, and the start is retried with backoff.
  }
}

const tooManyMissedStarts =
  'More than 100 starts were missed, and only the latest is made up for; set spec.startingDeadlineSeconds, or check the clocks';

async function deleteOldJobs({ spec }: CronJob, jobs: readonly Job[], context: ReconcileContext): Promise<void> {
  const completed = jobs.filter((job) => hasEnded(job, 'Complete')).slice(spec.successfulJobsHistoryLimit);
  const failed = jobs.filter((job) => hasEnded(job, 'Failed')).slice(spec.failedJobsHistoryLimit);
  for (const job of [...completed, ...failed]) await deleteJob(job, context);
}

/** Deletes exactly this Job, and its pods. */
async function deleteJob(job: Job, { client }: ReconcileContext): Promise<void> {
  const { uid, deletionTimestamp } = job.metadata;
  if (uid === undefined || deletionTimestamp !== undefined) return;
  const deletion = client.delete(Job, ObjectKey.of(job), { propagationPolicy: 'Background', preconditions: { uid } });
  await ignoreNotFound(deletion);
}

/** Reports why no Job is started; a new reason is also recorded as an Event. */
function report({ conditions, events }: ReconcileContext, reason: string, message: string): void {
  if (conditions.get('Ready')?.message !== message) events.warning(reason, message);
  conditions.set('Ready', false, reason, message);
}
