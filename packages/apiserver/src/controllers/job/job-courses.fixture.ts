import type { Job, Pod } from '@evenkeel/kinds';
import { Course, type Spec } from '../course.fixture.ts';

/** The name of every Job in a scenario. The comparison treats the characters after it as random. */
const name = 'generated';

/** A scenario of one Job, in its own namespace on one server. */
export class JobCourse extends Course {
  /** Creates a Job. Its pods are not scheduled unless `runs`: the scenario itself sets their status. */
  async create(spec: Spec = {}, runs = false, pod: Spec = {}): Promise<void> {
    const { template = {}, ...rest } = spec as { template?: Spec };
    const podSpec = {
      restartPolicy: 'Never',
      containers: [{ name: 'a', image: 'a:1' }],
      ...(runs ? {} : { schedulerName: 'by-hand' }),
      ...pod,
    };
    await this.send('POST', this.#jobs(), {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: { ...rest, template: { ...template, spec: podSpec } },
    });
  }

  async createPod(labels: Record<string, string>): Promise<void> {
    const spec = { schedulerName: 'by-hand', restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] };
    await this.send('POST', this.#pods(), { metadata: { generateName: `${name}-`, labels }, spec });
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#jobs(name), { spec });
  }

  remove(propagationPolicy: string): Promise<unknown> {
    return this.send('DELETE', `${this.#jobs(name)}?propagationPolicy=${propagationPolicy}`);
  }

  async job(): Promise<Job | undefined> {
    const { status, body } = await this.server.send('GET', this.#jobs(name));
    return status === 404 ? undefined : (body as Job);
  }

  async pods(): Promise<Pod[]> {
    return (await this.list(this.#pods())) as Pod[];
  }

  events(): Promise<string[]> {
    return this.eventsOf('Job');
  }

  /** Sets the phase of `count` pending pods in the order of their indexes; with `index`, only of pods of that index. */
  async end(phase: 'Succeeded' | 'Failed', { index, exitCode, count = 1, condition }: Ending = {}): Promise<void> {
    const open = (await this.pods()).filter(
      ({ metadata, status }) =>
        status?.phase === 'Pending' &&
        metadata.deletionTimestamp === undefined &&
        (index === undefined || metadata.annotations?.['batch.kubernetes.io/job-completion-index'] === String(index)),
    );
    if (open.length < count) throw new Error(`only ${open.length} pods can become ${phase}`);
    for (const { metadata } of open.slice(0, count)) {
      const terminated = { exitCode: exitCode ?? 0, finishedAt: new Date().toISOString().replace(/\.\d+/, '') };
      const ended = { name: 'a', image: 'a:1', imageID: '', ready: false, restartCount: 0, state: { terminated } };
      await this.send('PATCH', `${this.#pods(metadata.name)}/status`, {
        status: {
          phase,
          containerStatuses: [ended],
          ...(condition !== undefined && { conditions: [{ type: condition, status: 'True' }] }),
        },
      });
    }
  }

  async restartContainers(restartCount: number): Promise<void> {
    for (const { metadata } of await this.pods()) {
      const container = { name: 'a', image: 'a:1', imageID: '', ready: true, restartCount };
      await this.send('PATCH', `${this.#pods(metadata.name)}/status`, {
        status: { phase: 'Running', containerStatuses: [container] },
      });
    }
  }

  async removePod(): Promise<void> {
    const [pod] = await this.pods();
    await this.send('DELETE', this.#pods(pod?.metadata.name ?? ''));
  }

  async relabelPod(labels: Record<string, string>): Promise<void> {
    const [pod] = await this.pods();
    await this.send('PATCH', this.#pods(pod?.metadata.name ?? ''), { metadata: { labels } });
  }

  /** Waits until the Job and its pods fulfil the condition, and records both. */
  async until(what: string, isSo: (job: Job | undefined, pods: readonly Pod[]) => boolean): Promise<void> {
    const look = async () => ({ job: await this.job(), pods: await this.pods() });
    const { job, pods } = await this.wait(what, look, (seen) => isSo(seen.job, seen.pods));
    this.seen.push({ what, job: job ?? 'none', pods });
  }

  #jobs(one?: string): string {
    return this.path('/apis/batch/v1', 'jobs', one);
  }

  #pods(one?: string): string {
    return this.path('/api/v1', 'pods', one);
  }
}

interface Ending {
  readonly index?: number;
  readonly exitCode?: number;
  readonly count?: number;
  readonly condition?: string;
}

const holds =
  (...types: string[]) =>
  (job: Job | undefined): boolean =>
    types.every((type) => job?.status?.conditions?.some((one) => one.type === type && one.status === 'True') === true);

const isComplete = holds('Complete');
const isFailed = holds('Failed');

/** Every finished pod is counted and has lost its finalizer. */
const isSettled = (job: Job | undefined, pods: readonly Pod[]): boolean => {
  const { succeeded = [], failed = [] } = job?.status?.uncountedTerminatedPods ?? {};
  const ended = pods.filter(({ status }) => status?.phase === 'Succeeded' || status?.phase === 'Failed');
  return (
    succeeded.length + failed.length + (job?.status?.terminating ?? 0) === 0 &&
    ended.every(({ metadata }) => metadata.finalizers === undefined)
  );
};

const isActive = ({ metadata, status }: Pod): boolean =>
  status?.phase === 'Pending' && metadata.deletionTimestamp === undefined;

/** The given number of pods is active, and the status reports it. */
const hasActive =
  (count: number) =>
  (job: Job | undefined, pods: readonly Pod[]): boolean =>
    (job?.status?.active ?? 0) === count && pods.filter(isActive).length === count && isSettled(job, pods);

const indexed = { completionMode: 'Indexed' };

/** Scenarios of Jobs. Each must have the same outcome on any server with a Job controller. */
export const jobCourses: Readonly<Record<string, (course: JobCourse) => Promise<void>>> = {
  'completes pods two at a time': async (course) => {
    await course.create({ completions: 3, parallelism: 2 }, true);
    await course.until('complete', isComplete);
  },
  'completes a work queue when its pods have succeeded': async (course) => {
    await course.create({ parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.end('Succeeded');
    await course.until('half done', (job, pods) => job?.status?.succeeded === 1 && hasActive(1)(job, pods));
    await course.end('Succeeded');
    await course.until('complete', isComplete);
  },
  'completes each index': async (course) => {
    await course.create({ ...indexed, completions: 3, parallelism: 2 }, true);
    await course.until('complete', isComplete);
  },
  'reports the completed indexes': async (course) => {
    await course.create({ ...indexed, completions: 5, parallelism: 5 });
    await course.until('at work', hasActive(5));
    for (const index of [0, 2, 3]) await course.end('Succeeded', { index });
    await course.until('partly done', (job, pods) => job?.status?.succeeded === 3 && hasActive(2)(job, pods));
    await course.change({ completions: 3, parallelism: 3 });
    await course.until('smaller', (job, pods) => job?.status?.completedIndexes === '0,2' && hasActive(1)(job, pods));
    await course.end('Succeeded');
    await course.until('complete', isComplete);
  },
  'completes without pods if zero completions are required': async (course) => {
    await course.create({ completions: 0 });
    await course.until('complete', isComplete);
  },
  'starts no pods with a parallelism of zero': async (course) => {
    await course.create({ parallelism: 0 });
    await course.until('seen', (job) => job?.status?.ready === 0);
  },
  'fails with its first failed pod if no failure is allowed': async (course) => {
    await course.create({ backoffLimit: 0, completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { exitCode: 1 });
    await course.until('failed', isFailed);
  },
  'fails when more pods than allowed have failed': async (course) => {
    await course.create({ backoffLimit: 1, completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { exitCode: 1, count: 2 });
    await course.until('failed', isFailed);
  },
  'replaces a failed pod after a delay': async (course) => {
    await course.create({ completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { exitCode: 1 });
    await course.until('counted', (job, pods) => job?.status?.failed === 1 && isSettled(job, pods));
    await course.until('at work again', hasActive(2));
    await course.end('Succeeded', { count: 2 });
    await course.until('complete', isComplete);
  },
  'counts a deleted pod as failed': async (course) => {
    await course.create({ backoffLimit: 0 });
    await course.until('at work', hasActive(1));
    await course.removePod();
    await course.until('failed', isFailed);
  },
  'fails when containers were restarted too often': async (course) => {
    await course.create({ backoffLimit: 2 }, false, { restartPolicy: 'OnFailure' });
    await course.until('at work', hasActive(1));
    await course.restartContainers(2);
    await course.until('failed', isFailed);
  },
  'fails at its deadline': async (course) => {
    await course.create({});
    // The deadline is set later, because on a busy machine it could pass before the first pod runs.
    await course.until('at work', hasActive(1));
    await course.change({ activeDeadlineSeconds: 1 });
    await course.until('failed', isFailed);
  },
  'is suspended and resumed': async (course) => {
    await course.create({ suspend: true, activeDeadlineSeconds: 100 });
    await course.until('suspended', holds('Suspended'));
    await course.change({ suspend: false });
    await course.until('at work', hasActive(1));
    await course.change({ suspend: true });
    await course.until(
      'suspended',
      (job, pods) => holds('Suspended')(job) && pods.length === 0 && isSettled(job, pods),
    );
    await course.change({ suspend: false });
    await course.until('at work', (job, pods) => hasActive(1)(job, pods) && !holds('Suspended')(job));
    await course.end('Succeeded');
    await course.until('complete', isComplete);
  },
  'reduces and increases its parallelism': async (course) => {
    await course.create({ completions: 4, parallelism: 3 });
    await course.until('at work', hasActive(3));
    await course.change({ parallelism: 1 });
    await course.until('fewer', (job, pods) => hasActive(1)(job, pods) && pods.length === 1);
    await course.change({ parallelism: 2 });
    await course.until('more', hasActive(2));
  },
  'is deleted when its TTL expires': async (course) => {
    await course.create({ ttlSecondsAfterFinished: 1 }, true);
    await course.until('gone', (job, pods) => job === undefined && pods.length === 0);
  },
  'fails at once because of its failure policy': async (course) => {
    await course.create({
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
          { action: 'FailJob', onExitCodes: { operator: 'In', values: [42], containerName: 'a' } },
        ],
      },
      completions: 2,
      parallelism: 2,
    });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { exitCode: 42 });
    await course.until('failed', isFailed);
  },
  'does not count failures that its failure policy ignores': async (course) => {
    await course.create({
      backoffLimit: 0,
      podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
    });
    await course.until('at work', hasActive(1));
    await course.end('Failed', { exitCode: 1, condition: 'DisruptionTarget' });
    await course.until('let go', (job, pods) => pods.length === 1 && hasActive(0)(job, pods));
    await course.until('at work again', hasActive(1));
    await course.end('Succeeded');
    await course.until('complete', isComplete);
  },
  'fails because of one index when the others are done': async (course) => {
    await course.create({ ...indexed, completions: 2, parallelism: 2, backoffLimitPerIndex: 0 });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { index: 0, exitCode: 1 });
    await course.until('half failed', (job, pods) => job?.status?.failedIndexes === '0' && isSettled(job, pods));
    await course.end('Succeeded', { index: 1 });
    await course.until('failed', isFailed);
  },
  'fails when too many indexes have failed': async (course) => {
    await course.create({ ...indexed, completions: 3, parallelism: 2, backoffLimitPerIndex: 0, maxFailedIndexes: 0 });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { index: 1, exitCode: 1 });
    await course.until('failed', isFailed);
  },
  'retries an index and counts its failures': async (course) => {
    await course.create({ ...indexed, completions: 1, backoffLimitPerIndex: 1 });
    await course.until('at work', hasActive(1));
    await course.end('Failed', { exitCode: 1 });
    await course.until('at work again', hasActive(1));
    await course.end('Failed', { exitCode: 1 });
    await course.until('failed', isFailed);
  },
  'fails an index because of its failure policy': async (course) => {
    await course.create({
      ...indexed,
      completions: 2,
      parallelism: 2,
      backoffLimitPerIndex: 5,
      podFailurePolicy: { rules: [{ action: 'FailIndex', onExitCodes: { operator: 'NotIn', values: [1] } }] },
    });
    await course.until('at work', hasActive(2));
    await course.end('Failed', { index: 1, exitCode: 3 });
    await course.until('half failed', (job, pods) => job?.status?.failedIndexes === '1' && isSettled(job, pods));
    await course.end('Succeeded', { index: 0 });
    await course.until('failed', isFailed);
  },
  'succeeds because of its success policy': async (course) => {
    await course.create({
      ...indexed,
      completions: 3,
      parallelism: 3,
      successPolicy: { rules: [{ succeededIndexes: '2', succeededCount: 1 }, { succeededIndexes: '0-1' }] },
    });
    await course.until('at work', hasActive(3));
    await course.end('Succeeded', { index: 1 });
    await course.until('partly done', (job, pods) => job?.status?.completedIndexes === '1' && hasActive(2)(job, pods));
    await course.end('Succeeded', { index: 0 });
    await course.until('complete', isComplete);
  },
  'adopts pods that it selects, and releases those that it does not': async (course) => {
    await course.createPod({ of: name });
    await course.create({
      manualSelector: true,
      selector: { matchLabels: { of: name } },
      template: { metadata: { labels: { of: name } } },
    });
    await course.until('adopted', hasActive(1));
    await course.relabelPod({ of: 'nobody' });
    await course.until('replaced', (job, pods) => pods.filter(isActive).length === 2 && isSettled(job, pods));
  },
  'adopts every pod with an empty selector': async (course) => {
    await course.createPod({ of: 'anybody' });
    await course.create({ manualSelector: true, selector: {}, template: { metadata: { labels: { of: name } } } });
    await course.until('adopted', hasActive(1));
  },
  'reports why its pods are rejected': async (course) => {
    await course.create({ template: { metadata: { finalizers: ['not-qualified'] } } });
    await course.until('seen', (job) => job?.status?.ready === 0);
  },
  'is deleted before its pods': async (course) => {
    await course.create({ completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.remove('Background');
    await course.until('gone', (job, pods) => job === undefined && pods.length === 0);
  },
  'is deleted after its pods': async (course) => {
    await course.create({ completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.end('Succeeded');
    await course.remove('Foreground');
    await course.until('gone', (job, pods) => job === undefined && pods.length === 0);
  },
  'orphans its pods': async (course) => {
    await course.create({ completions: 2, parallelism: 2 });
    await course.until('at work', hasActive(2));
    await course.remove('Orphan');
    await course.until('gone', (job, pods) => job === undefined && pods.every((pod) => !pod.metadata.finalizers));
  },
};
