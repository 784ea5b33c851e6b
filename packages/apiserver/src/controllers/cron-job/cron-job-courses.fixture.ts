import type { CronJob, Job, Pod } from '@evenkeel/kinds';
import { Course, type Spec } from '../course.fixture.ts';

const name = 'clock';

/** A scenario of one CronJob, in its own namespace on one server. It starts when the scenario changes its last start. */
export class CronJobCourse extends Course {
  /** Creates a CronJob that starts on 1 January. The scenario itself sets the status of the pods of its Jobs. */
  async create(spec: Spec = {}, jobTemplate: Spec = {}): Promise<void> {
    const containers = [{ name: 'a', image: 'a:1' }];
    const template = { spec: { restartPolicy: 'Never', schedulerName: 'by-hand', containers } };
    await this.#create(name, {
      schedule: '0 0 1 1 *',
      jobTemplate: { spec: { backoffLimit: 0, template }, ...jobTemplate },
      ...spec,
    });
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#batch('cronjobs', name), { spec });
  }

  /** Sets the last start, so that the CronJob has missed those after it. */
  startedLast(lastScheduleTime: string): Promise<unknown> {
    return this.send('PATCH', `${this.#batch('cronjobs', name)}/status`, { status: { lastScheduleTime } });
  }

  remove(): Promise<unknown> {
    return this.send('DELETE', this.#batch('cronjobs', name));
  }

  /** Creates a Job that the CronJob seems to have created. */
  async createJob(): Promise<void> {
    const { cronJob } = await this.#look();
    const uid = cronJob?.metadata.uid;
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name, uid, controller: true };
    await this.send('POST', this.#batch('jobs'), {
      metadata: { name: `${name}-by-hand`, ownerReferences: [owner] },
      spec: { suspend: true, template: cronJob?.spec?.jobTemplate.spec?.template },
    });
  }

  async removeJobs(): Promise<void> {
    for (const { metadata } of (await this.#look()).jobs) {
      await this.send('DELETE', `${this.#batch('jobs', metadata.name)}?propagationPolicy=Background`);
    }
  }

  /** Allows no more Jobs. Waits until the server enforces this. */
  async forbidJobs(): Promise<void> {
    const quotas = this.path('/api/v1', 'resourcequotas');
    await this.send('POST', quotas, { metadata: { name: 'none' }, spec: { hard: { 'count/jobs.batch': '0' } } });
    await this.wait(
      'enforced',
      async () => (await this.send('GET', `${quotas}/none`)) as { status?: { hard?: object } },
      ({ status }) => status?.hard !== undefined,
    );
  }

  /** Waits for the pods of all Jobs that run, and ends them. */
  async end(phase: 'Succeeded' | 'Failed'): Promise<void> {
    const pods = await this.wait(
      'at work',
      async () => (await this.list(this.path('/api/v1', 'pods'))) as Pod[],
      (seen) => seen.some(isOpen),
    );
    for (const { metadata } of pods.filter(isOpen)) {
      const terminated = { exitCode: phase === 'Failed' ? 1 : 0, finishedAt: '2026-01-01T00:00:00Z' };
      const ended = { name: 'a', image: 'a:1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
      const status = { phase, containerStatuses: [ended] };
      await this.send('PATCH', `${this.path('/api/v1', 'pods', metadata.name)}/status`, { status });
    }
  }

  /** Waits until the controller has handled all earlier changes, also where they leave no trace. */
  async untilHandled(): Promise<void> {
    // The queue keeps the order, and this schedule is reported at once.
    await this.#create('later', {
      schedule: '0 0 31 2 *',
      jobTemplate: (await this.#look()).cronJob?.spec?.jobTemplate,
    });
    await this.untilReported('InvalidSchedule');
  }

  /** Waits until the CronJob and its Jobs fulfil the condition, and records both. */
  async until(what: string, isSo: (cronJob: CronJob, jobs: readonly Job[]) => boolean): Promise<void> {
    const { cronJob, jobs } = await this.wait(
      what,
      this.#look,
      (seen) => seen.cronJob !== undefined && isSo(seen.cronJob, seen.jobs),
    );
    const { lastScheduleTime = '' } = cronJob?.status ?? {};
    this.seen.push({ what, startedAtMs: Date.parse(lastScheduleTime), cronJob, jobs: jobs.map(withoutProgress) });
  }

  async untilGone(): Promise<void> {
    await this.wait('gone', this.#look, ({ cronJob, jobs }) => cronJob === undefined && jobs.length === 0);
  }

  async untilReported(reason: string): Promise<void> {
    await this.wait(
      reason,
      () => this.events(),
      (events) => events.some((event) => event.includes(` ${reason}: `)),
    );
  }

  events(): Promise<string[]> {
    return this.eventsOf('CronJob');
  }

  async #create(created: string, spec: Spec): Promise<void> {
    await this.send('POST', this.#batch('cronjobs'), { metadata: { name: created }, spec });
  }

  readonly #look = async (): Promise<{ cronJob: CronJob | undefined; jobs: Job[] }> => {
    const { status, body } = await this.server.send('GET', this.#batch('cronjobs', name));
    const jobs = (await this.list(this.#batch('jobs'))) as Job[];
    return { cronJob: status === 404 ? undefined : (body as CronJob), jobs };
  };

  #batch(plural: string, one?: string): string {
    return this.path('/apis/batch/v1', plural, one);
  }
}

function isOpen({ metadata, status }: Pod): boolean {
  return status?.phase === 'Pending' && metadata.deletionTimestamp === undefined;
}

/** The Job controller runs at its own pace. */
function withoutProgress({ status: _, ...job }: Job): unknown {
  return job;
}

const hasActive =
  (count: number, jobCount = count) =>
  ({ status }: CronJob, jobs: readonly Job[]): boolean =>
    (status?.active ?? []).length === count && jobs.length === jobCount;

const inJanuary = '0 0 1 1 *';
const inFebruary = '0 0 1 2 *';
const inMarch = '0 0 1 3 *';
const before = '2025-06-01T00:00:00Z';

/** Whether a Job was created after the scenario has set the last start. */
const hasStarted = ({ status }: CronJob): boolean => status?.lastScheduleTime !== before;

/** Lets the CronJob start by another schedule than before, as if it had been its own since June 2025. */
async function restart(course: CronJobCourse, schedule: string): Promise<void> {
  await course.change({ schedule, suspend: true });
  await course.startedLast(before);
  await course.change({ suspend: false });
}

export const cronJobCourses: Readonly<Record<string, (course: CronJobCourse) => Promise<void>>> = {
  'starts a Job that succeeds': async (course) => {
    await course.create({}, { metadata: { labels: { of: 'template' }, annotations: { note: 'kept' } } });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await course.end('Succeeded');
    await course.until(
      'done',
      ({ status }) => status?.active === undefined && status?.lastSuccessfulTime !== undefined,
    );
  },
  'starts a Job that fails': async (course) => {
    await course.create();
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await course.end('Failed');
    await course.until('done', hasActive(0, 1));
  },
  'starts one Job for a few missed starts': async (course) => {
    await course.create({ schedule: '0 0 1 * *' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
  },
  'starts one Job for many missed starts': async (course) => {
    await course.create({ schedule: '0 0 * * *' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
  },
  'starts in a time zone before UTC': async (course) => {
    await course.create({ schedule: '30 9 1 2 *', timeZone: 'Asia/Kolkata' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
  },
  'starts in a time zone after UTC': async (course) => {
    await course.create({ schedule: '0 20 5 7 *', timeZone: 'America/New_York' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
  },
  'starts in the zone of Greenwich in winter': async (course) => {
    await course.create({ schedule: '0 12 5 1 *', timeZone: 'Europe/London' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
  },
  'skips an hour that does not exist in its time zone': async (course) => {
    await course.create({ schedule: '30 2 8 3 *', timeZone: 'America/New_York' });
    await course.startedLast('2024-06-01T00:00:00Z');
    await course.until('started', hasActive(1));
  },
  'has a Job for each start if it allows several': async (course) => {
    await course.create();
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await restart(course, inFebruary);
    await course.until('started again', hasActive(2));
  },
  'waits for the active Job if it forbids several': async (course) => {
    await course.create({ concurrencyPolicy: 'Forbid' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await restart(course, inFebruary);
    await course.untilReported('JobAlreadyActive');
    await course.until('waiting', hasActive(1));
    await course.end('Succeeded');
    await course.until('started again', (cronJob, jobs) => hasActive(1, 2)(cronJob, jobs) && hasStarted(cronJob));
  },
  'replaces the active Job': async (course) => {
    await course.create({ concurrencyPolicy: 'Replace' });
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await restart(course, inFebruary);
    await course.until('replaced', (cronJob, jobs) => hasActive(1)(cronJob, jobs) && hasStarted(cronJob));
  },
  'starts nothing while it is suspended': async (course) => {
    await course.create({ suspend: true });
    await course.startedLast(before);
    await course.until('suspended', hasActive(0));
    await course.change({ suspend: false });
    await course.until('started', hasActive(1));
  },
  'starts nothing after the deadline': async (course) => {
    await course.create({ startingDeadlineSeconds: 3600 });
    await course.startedLast(before);
    await course.until('too late', hasActive(0));
    await course.change({ startingDeadlineSeconds: null });
    await course.until('started', hasActive(1));
  },
  'starts by a new schedule from its next start on': async (course) => {
    await course.create({ suspend: true });
    await course.startedLast(before);
    await course.untilHandled();
    await course.change({ schedule: inMarch, suspend: false });
    await course.until('changed', hasActive(0));
    await course.change({ failedJobsHistoryLimit: 2 });
    await course.until('started', hasActive(1));
  },
  'keeps the last finished Jobs': async (course) => {
    await course.create({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0 });
    for (const [index, schedule] of [inJanuary, inFebruary].entries()) {
      await restart(course, schedule);
      await course.until(`started ${index}`, hasActive(1, index + 1));
      await course.end('Succeeded');
      await course.until(`done ${index}`, hasActive(0, 1));
    }
    await restart(course, inMarch);
    await course.until('started to fail', hasActive(1, 2));
    await course.end('Failed');
    await course.until('failed', hasActive(0, 1));
  },
  'reports that a Job is missing': async (course) => {
    await course.create();
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await course.removeJobs();
    await course.until('missing', hasActive(0));
  },
  'reports a Job that it did not create': async (course) => {
    await course.create();
    await course.createJob();
    await course.untilReported('UnexpectedJob');
    await course.until('seen', hasActive(0, 1));
  },
  'does not repeat a start whose Job has finished': async (course) => {
    await course.create();
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await course.end('Succeeded');
    await course.until('done', hasActive(0, 1));
    await course.startedLast(before);
    await course.until('unchanged', hasActive(0, 1));
    await restart(course, inFebruary);
    await course.until('started again', (cronJob, jobs) => hasActive(1, 2)(cronJob, jobs) && hasStarted(cronJob));
  },
  'reports a date that never occurs': async (course) => {
    await course.create({ schedule: '0 0 31 2 *' });
    await course.untilReported('InvalidSchedule');
    await course.until('invalid', hasActive(0));
  },
  'reports why its Jobs are rejected': async (course) => {
    await course.create();
    await course.forbidJobs();
    await course.startedLast(before);
    await course.untilReported('FailedCreate');
    await course.until('rejected', hasActive(0));
  },
  'is deleted with its Jobs': async (course) => {
    await course.create();
    await course.startedLast(before);
    await course.until('started', hasActive(1));
    await course.remove();
    await course.untilGone();
  },
};
