import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, RbacAudit } from '@evenkeel/testing';
import {
  type Condition,
  createManager,
  Event,
  findCondition,
  httpsTransport,
  Job,
  type JobTemplateSpec,
  type KubernetesObject,
  loadConnection,
  type Manager,
  ManualClock,
  type MergePatch,
  Namespace,
  type ReconcileRun,
  type Transport,
} from 'evenkeel';
import {
  describeOnEmbeddedServer,
  describeWithRealServer,
  type RealServer,
  startRealServer,
} from '../../../test/real-server.fixture.ts';
import { CronJobController } from './cron-job.controller.ts';
import { CronJob, type CronJobSpec } from './cron-job.ts';
import { fields } from './fields.ts';

const hourMs = 3_600_000;

/** The minute of each hour with a start: half an hour from now, so that no start interrupts a test. */
const minute = (new Date().getUTCMinutes() + 30) % 60;
const definition = await customResourceDefinitionOf(CronJob, await readSources(`${import.meta.dirname}/cron-job.ts`));

/**
 * A namespace with the running operator, on a clock that the test controls, and with only the permissions of its
 * declarations.
 */
class Stage {
  readonly client: Environment['client'];
  readonly namespace: string;
  readonly #environment: Environment;
  readonly #audit: RbacAudit;
  readonly #runs: ReconcileRun[] = [];
  #clock = new ManualClock(new Date());
  #manager: Manager | undefined;

  constructor(environment: Environment, audit: RbacAudit, namespace: string) {
    this.#environment = environment;
    this.#audit = audit;
    this.client = environment.client;
    this.namespace = namespace;
  }

  static async open(environment: Environment, audit: RbacAudit): Promise<Stage> {
    // The server is stopped with its tests, so the namespace need not be deleted first.
    const { metadata } = await environment.client.create(Namespace, { metadata: { generateName: 'cron-' } });
    return new Stage(environment, audit, metadata.name);
  }

  /** Starts the operator, at the given time if there is one. */
  async start(now = new Date(), transport = this.#audit.transport): Promise<void> {
    this.#clock = new ManualClock(now);
    const manager = await createManager({
      transport,
      clock: this.#clock,
      controllers: [CronJobController],
      fields,
      namespaces: [this.namespace],
      observer: (run) => this.#runs.push(run),
    });
    this.#manager = manager;
    await manager.start();
    await this.eventually(async () => expect(manager.health.problems).toEqual([]));
  }

  async stop(): Promise<void> {
    await this.#manager?.stop();
  }

  /** Creates a CronJob that starts a Job each hour. The Jobs finish only when a test marks them as finished. */
  create(name: string, spec: Partial<CronJobSpec> = {}): Promise<CronJob> {
    return this.client.create(CronJob, {
      metadata: { name, namespace: this.namespace },
      spec: { schedule: `${minute} * * * *`, jobTemplate: jobTemplate({ managedBy: 'example.com/test' }), ...spec },
    } as never) as Promise<CronJob>;
  }

  /** Moves the clock to a start when no operation is running that the jump would delay, and returns the name of its Job. */
  async moveTo(cronJob: CronJob, number: number): Promise<string> {
    // It runs then only when its cache has its own writes, for which it waits 5 s on the clock that is moved.
    const { name } = cronJob.metadata;
    const before = this.#runs.length;
    const moved = { metadata: { annotations: { 'example.com/movedTo': `${number}` } } };
    const { metadata } = await this.merge(CronJob, name, moved);
    // An operator that has just started may see the object for the first time, or with later writes.
    const isFor = ({ kind, resourceVersion = '0' }: ReconcileRun['triggers'][number]): boolean =>
      kind === 'CronJob' && BigInt(resourceVersion) >= BigInt(metadata.resourceVersion ?? 0);
    await this.eventually(async () => {
      const later = this.#runs.slice(before);
      expect(later.some(({ key, triggers }) => key.name === name && triggers.some(isFor))).toBe(true);
    });
    await this.eventually(async () => expect(this.#manager?.health.controllers).toMatchObject([{ running: [] }]));
    const start = startOf(cronJob, number);
    await this.#clock.advance(start.getTime() - this.#clock.now());
    return jobName(cronJob, number);
  }

  merge<T extends KubernetesObject>(kind: new () => T, name: string, merge: MergePatch<T>): Promise<T> {
    return this.client.patch(kind, `${this.namespace}/${name}`, { merge }) as Promise<T>;
  }

  /** Writes what the Job controller writes when a Job has finished. */
  async end(job: string, how: 'Complete' | 'Failed'): Promise<void> {
    const now = new Date().toISOString();
    const condition = (type: string) => ({ type, status: 'True', lastTransitionTime: now, lastProbeTime: now });
    const conditions =
      how === 'Complete'
        ? [condition('SuccessCriteriaMet'), condition('Complete')]
        : [condition('FailureTarget'), condition('Failed')];
    const times = { startTime: now, ...(how === 'Complete' ? { completionTime: now } : {}) };
    await this.client
      .subresource(Job, `${this.namespace}/${job}`, 'status')
      .patch({ merge: { status: { ...times, conditions } } });
  }

  async jobs(): Promise<string[]> {
    const { items } = await this.client.list(Job, { namespace: this.namespace });
    return items.map(({ metadata }) => metadata.name).sort();
  }

  async events(reason: string): Promise<Event[]> {
    const { items } = await this.client.list(Event, { namespace: this.namespace });
    return items.filter((event) => event.reason === reason);
  }

  /** Resolves to the object when `holds` is true for it. Meanwhile the operator's clock advances slowly. */
  until<T extends KubernetesObject>(kind: new () => T, name: string, holds: (object: T) => boolean): Promise<T> {
    return this.eventually(async () => {
      const object = (await this.client.get(kind, `${this.namespace}/${name}`)) as T;
      if (!holds(object))
        throw new Error(`${kind.name} ${name} is not in the expected state: ${JSON.stringify(object)}`);
      return object;
    });
  }

  eventually<T>(assertion: () => Promise<T>): Promise<T> {
    return this.#environment.eventually(
      async () => {
        await this.#clock.advance(100);
        return await assertion();
      },
      { timeout: '90s' },
    );
  }
}

function jobTemplate(spec: object = {}): JobTemplateSpec {
  const containers = [{ name: 'work', image: 'busybox:1.37' }];
  return { spec: { template: { spec: { restartPolicy: 'Never', containers } }, ...spec } };
}

/** Returns the `number`th start after an hourly CronJob was created. */
function startOf({ metadata }: CronJob, number: number): Date {
  const minuteMs = minute * 60_000;
  const hour = Math.floor((Date.parse(metadata.creationTimestamp ?? '') - minuteMs) / hourMs);
  return new Date((hour + number) * hourMs + minuteMs);
}

const jobName = (cronJob: CronJob, number: number): string =>
  `${cronJob.metadata.name}-${startOf(cronJob, number).getTime() / 60_000}`;

const seconds = (time: Date): string => time.toISOString().replace('.000Z', 'Z');

const ready = ({ status }: CronJob): Condition | undefined => findCondition(status?.conditions, 'Ready');

/** The tests for every server that runs Jobs. */
function operatorTests(environment: () => Environment, audit: () => RbacAudit): void {
  let stage: Stage;
  beforeEach(async () => {
    stage = await Stage.open(environment(), audit());
    await stage.start();
  });
  afterEach(() => stage?.stop());

  /** Resolves when the condition of a CronJob has this reason. */
  const untilReason = (name: string, reason: string): Promise<CronJob> =>
    stage.until(CronJob, name, (cronJob) => ready(cronJob)?.reason === reason);
  const untilActive = (name: string, ...jobs: string[]): Promise<CronJob> =>
    stage.until(CronJob, name, ({ status }) => String(status?.active?.map((job) => job.name)) === String(jobs));

  it('starts a Job at each start, and reports it in its status', async () => {
    const template = { ...jobTemplate(), metadata: { labels: { team: 'red' }, annotations: { note: 'kept' } } };
    const cronJob = await stage.create('hourly', { jobTemplate: template });
    const waiting = await untilReason('hourly', 'AsScheduled');
    expect(waiting.status.lastScheduleTime).toBeUndefined();
    expect(await stage.jobs()).toEqual([]);

    const name = await stage.moveTo(cronJob, 1);
    const job = await stage.until(Job, name, ({ status }) => status?.succeeded === 1);
    expect(job.metadata.ownerReferences).toMatchObject([{ kind: 'CronJob', name: 'hourly', controller: true }]);
    expect(job.metadata.labels?.['team']).toBe('red');
    const start = seconds(startOf(cronJob, 1));
    expect(job.metadata.annotations).toMatchObject({ note: 'kept', 'batch.example.com/scheduled-at': start });

    const { status } = await stage.until(CronJob, 'hourly', (seen) => seen.status?.active?.length === 0);
    expect(status.lastScheduleTime).toBe(start);
    const message = `The next start is at ${seconds(startOf(cronJob, 2))}`;
    expect(findCondition(status.conditions, 'Ready')).toMatchObject({ status: 'True', message });
    await stage.eventually(async () =>
      expect(await stage.events('Started')).toMatchObject([{ note: `Started Job ${name}` }]),
    );

    await stage.until(Job, await stage.moveTo(cronJob, 2), () => true);
  });

  it('runs Jobs concurrently with the policy Allow', async () => {
    const cronJob = await stage.create('allow');
    await untilReason('allow', 'AsScheduled');
    const first = await stage.moveTo(cronJob, 1);
    await untilActive('allow', first);
    const second = await stage.moveTo(cronJob, 2);
    const { status } = await untilActive('allow', second, first);
    const { metadata } = await stage.until(Job, first, () => true);
    const { namespace } = stage;
    const reference = { apiVersion: 'batch/v1', kind: 'Job', name: first, namespace, uid: metadata.uid };
    expect(status.active?.[1]).toEqual(reference);
  });

  it('delays a start until the earlier Job has finished with the policy Forbid', async () => {
    const cronJob = await stage.create('forbid', { concurrencyPolicy: 'Forbid' });
    await untilReason('forbid', 'AsScheduled');
    const first = await stage.moveTo(cronJob, 1);
    await untilActive('forbid', first);
    const second = await stage.moveTo(cronJob, 2);
    const waiting = await untilReason('forbid', 'Waiting');
    const message = `The start of ${seconds(startOf(cronJob, 2))} waits until Job ${first} has finished`;
    expect(ready(waiting)).toMatchObject({ status: 'False', message });
    expect(await stage.jobs()).toEqual([first]);
    await stage.end(first, 'Complete');
    await untilActive('forbid', second);
    await stage.eventually(async () => expect(await stage.events('Waiting')).toMatchObject([{ note: message }]));
  });

  it('deletes the earlier Job with the policy Replace', async () => {
    const cronJob = await stage.create('replace', { concurrencyPolicy: 'Replace' });
    await untilReason('replace', 'AsScheduled');
    await untilActive('replace', await stage.moveTo(cronJob, 1));
    const second = await stage.moveTo(cronJob, 2);
    await untilActive('replace', second);
    await stage.eventually(async () => expect(await stage.jobs()).toEqual([second]));
  });

  it('keeps the latest finished Jobs, up to the limits', async () => {
    const cronJob = await stage.create('history', { successfulJobsHistoryLimit: 2, failedJobsHistoryLimit: 1 });
    await untilReason('history', 'AsScheduled');
    const ends = ['Complete', 'Failed', 'Complete', 'Failed', 'Complete'] as const;
    for (const [index, how] of ends.entries()) {
      const name = await stage.moveTo(cronJob, index + 1);
      await untilActive('history', name);
      await stage.end(name, how);
      await untilActive('history');
    }
    const kept = [3, 4, 5].map((number) => jobName(cronJob, number));
    await stage.eventually(async () => expect(await stage.jobs()).toEqual(kept));
    await stage.merge(CronJob, 'history', { spec: { suspend: true, successfulJobsHistoryLimit: 0 } });
    await stage.eventually(async () => expect(await stage.jobs()).toEqual([kept[1]]));
    const { status } = await untilReason('history', 'Suspended');
    expect(status.lastScheduleTime).toBe(seconds(startOf(cronJob, 5)));
  });

  it('starts nothing while it is suspended, and makes up for the latest start afterwards', async () => {
    const cronJob = await stage.create('suspended', { suspend: true });
    for (const suspend of [false, true]) {
      await untilReason('suspended', suspend ? 'AsScheduled' : 'Suspended');
      await stage.merge(CronJob, 'suspended', { spec: { suspend } });
    }
    await stage.eventually(async () =>
      expect(await stage.events('Suspended')).toMatchObject([{ type: 'Warning', series: { count: 2 } }]),
    );
    const second = await stage.moveTo(cronJob, 2);
    expect(await stage.jobs()).toEqual([]);
    await stage.merge(CronJob, 'suspended', { spec: { suspend: false } });
    await untilActive('suspended', second);
    expect(await stage.jobs()).toEqual([second]);
  });

  it('makes up for only the latest start that it missed while it was down', async () => {
    const cronJob = await stage.create('missed');
    await untilReason('missed', 'AsScheduled');
    await stage.stop();
    await stage.start(new Date(startOf(cronJob, 3).getTime() + 60_000));
    await untilActive('missed', jobName(cronJob, 3));
    expect(await stage.jobs()).toEqual([jobName(cronJob, 3)]);
    expect(await stage.events('TooManyMissedStarts')).toEqual([]);
  });

  it('warns about more than a hundred missed starts', async () => {
    const cronJob = await stage.create('asleep');
    await untilReason('asleep', 'AsScheduled');
    await stage.stop();
    await stage.start(new Date(startOf(cronJob, 101).getTime()));
    await untilActive('asleep', jobName(cronJob, 101));
    await stage.eventually(async () =>
      expect(await stage.events('TooManyMissedStarts')).toMatchObject([
        { note: expect.stringMatching(/^More than 100 starts/) },
      ]),
    );
    await untilActive('asleep', await stage.moveTo(cronJob, 102), jobName(cronJob, 101));
    expect(await stage.jobs()).toHaveLength(2);
  });

  it('skips a start after its deadline, and reports that', async () => {
    const cronJob = await stage.create('deadline', { startingDeadlineSeconds: 120 });
    await untilReason('deadline', 'AsScheduled');
    await stage.stop();
    await stage.start(new Date(startOf(cronJob, 1).getTime() + 121_000));
    const { status } = await untilReason('deadline', 'DeadlineMissed');
    expect(status.lastScheduleTime).toBeUndefined();
    expect(await stage.jobs()).toEqual([]);
    await stage.stop();
    await stage.start(new Date(startOf(cronJob, 2).getTime() + 60_000));
    await untilActive('deadline', jobName(cronJob, 2));
    await untilReason('deadline', 'AsScheduled');
  });

  it('reports an invalid schedule that no webhook has rejected, continues with others, and uses the schedule when it is fixed', async () => {
    await stage.create('wrong', { schedule: '61 * * * *' });
    await stage.create('nowhere', { timeZone: 'Mars/Olympus' });
    await stage.create('never', { schedule: '0 0 31 2 *' });
    const right = await stage.create('right');
    const wrong = await untilReason('wrong', 'InvalidSchedule');
    expect(ready(wrong)?.message).toMatch(/^invalid spec.schedule or spec.timeZone: .*minute: 61/);
    expect(ready(await untilReason('nowhere', 'InvalidSchedule'))?.message).toMatch(/Mars\/Olympus/);
    expect(ready(await untilReason('never', 'InvalidSchedule'))?.message).toMatch(/never occurs$/);
    await stage.eventually(async () => expect(await stage.events('InvalidSchedule')).toHaveLength(3));
    await untilReason('right', 'AsScheduled');
    await untilActive('right', await stage.moveTo(right, 1));
    await stage.merge(CronJob, 'wrong', { spec: { schedule: '1 * * * *' } });
    await untilReason('wrong', 'AsScheduled');
  });

  it('reports a Job that the server rejects, continues with others, and retries', async () => {
    const refused = jobTemplate();
    if (refused.spec?.template.spec !== undefined) refused.spec.template.spec.restartPolicy = 'Always';
    const cronJob = await stage.create('refused', { jobTemplate: refused });
    await stage.create('accepted');
    for (const name of ['refused', 'accepted']) await untilReason(name, 'AsScheduled');
    await stage.moveTo(cronJob, 1);
    const { status } = await untilReason('refused', 'StartFailed');
    expect(findCondition(status.conditions, 'Ready')?.message).toMatch(
      /spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"/,
    );
    await untilActive('accepted', `accepted-${startOf(cronJob, 1).getTime() / 60_000}`);
    await stage.merge(CronJob, 'refused', { spec: { jobTemplate: jobTemplate({ suspend: true }) } });
    await untilActive('refused', jobName(cronJob, 1));
  });

  it('continues the work of another process, also on a server without watch lists', async () => {
    const cronJob = await stage.create('handed-over');
    await untilReason('handed-over', 'AsScheduled');
    const first = await stage.moveTo(cronJob, 1);
    const { metadata } = await untilActive('handed-over', first);
    await stage.stop();
    await stage.start(startOf(cronJob, 1), audit().withoutWatchList);
    const second = await stage.moveTo(cronJob, 2);
    await untilActive('handed-over', second, first);
    expect(await stage.jobs()).toEqual([first, second]);
    expect(metadata.generation).toBe(1);
  });

  it('leaves no Job behind when it is deleted', async () => {
    const cronJob = await stage.create('leaving');
    await untilReason('leaving', 'AsScheduled');
    await untilActive('leaving', await stage.moveTo(cronJob, 1));
    await stage.client.delete(CronJob, `${stage.namespace}/leaving`);
    await stage.eventually(async () => expect(await stage.jobs()).toEqual([]));
  });

  // This test is last: the tests above must need exactly the permissions of the roles.
  it('needs exactly the roles of its declarations', () => {
    expect(audit().refused).toEqual([]);
    expect(audit().unused).toEqual([]);
  });
}

describeOnEmbeddedServer('the cronjob operator on the embedded server', () => {
  let environment: Environment;
  let audit: RbacAudit;
  beforeAll(async () => {
    environment = await Environment.create({ kind: 'embedded', definitions: [definition] });
    audit = await RbacAudit.create({ transport: environment.transport, controllers: [CronJobController] });
  });
  afterAll(() => environment?.close());
  operatorTests(
    () => environment,
    () => audit,
  );
});

describeWithRealServer('the cronjob operator on a real server', () => {
  let server: RealServer;
  let environment: Environment;
  let audit: RbacAudit;
  let connection: Transport | undefined;
  beforeAll(async () => {
    const enforcing = '--enable-admission-plugins=OwnerReferencesPermissionEnforcement';
    server = await startRealServer('nodes', [definition], [enforcing]);
    const variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: server.kubeconfig };
    environment = await Environment.create({ variables, definitions: [definition], allNamespaces: true });
    const admin = await loadConnection({ kubeconfig: server.kubeconfig });
    audit = await RbacAudit.create({
      transport: environment.transport,
      controllers: [CronJobController],
      connect: (token) => {
        connection = httpsTransport({
          ...admin,
          credentials: async () => ({ headers: { authorization: `Bearer ${token}` } }),
        });
        return connection;
      },
    });
  });
  afterAll(async () => {
    await connection?.close();
    await environment?.close();
    await server?.stop();
  });
  operatorTests(
    () => environment,
    () => audit,
  );
});
