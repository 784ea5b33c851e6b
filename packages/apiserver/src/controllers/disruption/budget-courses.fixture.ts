import type { Pod, PodDisruptionBudget } from '@evenkeel/kinds';
import type { ComparedAnswer } from '../../comparison.fixture.ts';
import { Course, type Spec } from '../course.fixture.ts';

const name = 'budget';
const labels = { app: 'web' };
const widgets = 'example.com';

/** A scenario of one PodDisruptionBudget, in its own namespace on one server. The scenario itself sets the status of pods. */
export class BudgetCourse extends Course {
  #hasPods = false;

  async create(spec: Spec, of = name): Promise<void> {
    const path = this.#budgets();
    this.#hasPods = (await this.pods()).length > 0;
    await this.send('POST', path, { metadata: { name: of }, spec: { selector: { matchLabels: labels }, ...spec } });
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#budgets(name), { spec });
  }

  changeStatus(status: Spec): Promise<unknown> {
    return this.send('PATCH', `${this.#budgets(name)}/status`, { status });
  }

  /** Creates a workload whose pods wait for the scenario. */
  async createWorkload(path: string, plural: string, spec: Spec): Promise<void> {
    const podSpec = { schedulerName: 'by-hand', containers: [{ name: 'a', image: 'a:1' }] };
    await this.send('POST', this.path(path, plural), {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: podSpec }, ...spec },
    });
  }

  createJob(): Promise<unknown> {
    const spec = { schedulerName: 'by-hand', restartPolicy: 'Never', containers: [{ name: 'a', image: 'a:1' }] };
    return this.send('POST', this.path('/apis/batch/v1', 'jobs'), {
      metadata: { name: 'work' },
      spec: { template: { metadata: { labels }, spec } },
    });
  }

  /** Creates an object of a custom kind with replicas, and pods that it controls. */
  async createWidget(replicas: number, ...pods: readonly string[]): Promise<void> {
    const path = this.path(`/apis/${widgets}/v1`, 'widgets');
    const widget = { apiVersion: `${widgets}/v1`, kind: 'Widget', metadata: { name: 'web' }, spec: { replicas } };
    const { metadata } = (await this.send('POST', path, widget)) as { metadata: { uid: string } };
    const owner = { apiVersion: `${widgets}/v1`, kind: 'Widget', name: 'web', uid: metadata.uid, controller: true };
    await this.createPods(pods, [owner]);
  }

  async createPods(names: readonly string[], ownerReferences: readonly object[] = []): Promise<void> {
    for (const one of names) {
      const spec = { schedulerName: 'by-hand', containers: [{ name: 'a', image: 'a:1' }] };
      await this.send('POST', this.#pods(), { metadata: { name: one, labels, ownerReferences }, spec });
    }
  }

  /** Waits for so many pods, and makes them run. They are ready unless `ready` is false. */
  async run(count: number, ready = true): Promise<void> {
    const pods = await this.wait('created', this.pods, (seen) => seen.length === count);
    for (const { metadata } of pods) await this.runPod(metadata.name, ready);
  }

  runPod(pod: string, ready: boolean): Promise<unknown> {
    const conditions = [{ type: 'Ready', status: ready ? 'True' : 'False' }];
    return this.send('PATCH', `${this.#pods(pod)}/status`, { status: { phase: 'Running', conditions } });
  }

  /** Keeps the pod when it is deleted. */
  holdPod(pod: string): Promise<unknown> {
    return this.send('PATCH', this.#pods(pod), { metadata: { finalizers: ['example.com/held'] } });
  }

  /** Evicts a pod, the first one by default, and records the response. */
  async evict(pod?: string, deleteOptions?: Spec): Promise<void> {
    const [first] = await this.pods();
    const evicted = pod ?? first?.metadata.name ?? '';
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: evicted }, ...{ deleteOptions } };
    const answer: ComparedAnswer = await this.server.send('POST', `${this.#pods(evicted)}/eviction`, { body });
    this.seen.push({ status: answer.status, body: answer.body, warnings: answer.warnings });
  }

  readonly pods = async (): Promise<Pod[]> => (await this.list(this.#pods())) as Pod[];

  /** Waits until the status of the budget is current and the condition holds, and records it and the pods. */
  async until(what: string, isSo: (status: BudgetStatus, pods: readonly Pod[]) => boolean): Promise<void> {
    const { budget, pods } = await this.wait(
      what,
      async () => ({
        budget: (await this.send('GET', this.#budgets(name))) as PodDisruptionBudget,
        pods: await this.pods(),
      }),
      (seen) =>
        seen.budget.status !== undefined &&
        (seen.budget.status.conditions?.some(({ reason }) => reason === 'SyncFailed') === true ||
          seen.budget.status.observedGeneration === seen.budget.metadata.generation) &&
        isSo(seen.budget.status, seen.pods),
    );
    this.seen.push({ what, budget, pods: pods.map(({ metadata, status }) => ({ metadata, status })) });
  }

  /** Without the Event of a budget without pods if it has pods: the real controller may learn of the budget first. */
  async events(): Promise<string[]> {
    const events = await this.eventsOf('PodDisruptionBudget');
    return this.#hasPods ? events.filter((event) => !event.startsWith('Normal NoPods: ')) : events;
  }

  #budgets(one?: string): string {
    return this.path('/apis/policy/v1', 'poddisruptionbudgets', one);
  }

  #pods(one?: string): string {
    return this.path('/api/v1', 'pods', one);
  }
}

type BudgetStatus = NonNullable<PodDisruptionBudget['status']>;

const has =
  (wanted: Partial<BudgetStatus>, podCount?: number) =>
  (status: BudgetStatus, pods: readonly Pod[]): boolean =>
    Object.entries(wanted).every(([field, count]) => status[field as keyof BudgetStatus] === count) &&
    (podCount === undefined || pods.length === podCount);

export const budgetCourses: Readonly<Record<string, (course: BudgetCourse) => Promise<void>>> = {
  'has no pods': async (course) => {
    await course.create({ minAvailable: 1 });
    await course.until('calculated', has({ expectedPods: 0 }));
  },
  'has neither a minimum nor a maximum': async (course) => {
    await course.createPods(['a']);
    await course.create({});
    await course.until('calculated', has({ disruptionsAllowed: 0 }));
  },
  'counts pods without a controller': async (course) => {
    await course.createPods(['a', 'b', 'c']);
    await course.create({ minAvailable: 2 });
    await course.until('calculated', has({ expectedPods: 3, currentHealthy: 0 }));
    await course.run(3);
    await course.until('healthy', has({ currentHealthy: 3, disruptionsAllowed: 1 }));
    await course.evict('a');
    await course.until('evicted', has({ expectedPods: 2, disruptionsAllowed: 0 }, 2));
    await course.evict('b');
    await course.change({ minAvailable: 1 });
    await course.until('relaxed', has({ disruptionsAllowed: 1 }));
    await course.evict('b');
    await course.until('evicted again', has({ expectedPods: 1, disruptionsAllowed: 0 }, 1));
  },
  'has a percentage of pods without a controller': async (course) => {
    await course.createPods(['a', 'b']);
    await course.create({ minAvailable: '50%', selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } });
    await course.until('calculated', has({ expectedPods: 0 }));
  },
  'has a percentage of a Deployment': async (course) => {
    await course.createWorkload('/apis/apps/v1', 'deployments', { replicas: 3 });
    await course.run(3);
    await course.create({ minAvailable: '50%' });
    await course.until('calculated', has({ expectedPods: 3, currentHealthy: 3, disruptionsAllowed: 1 }));
  },
  'has a maximum for a StatefulSet': async (course) => {
    const parallel = { replicas: 2, serviceName: 'web', podManagementPolicy: 'Parallel' };
    await course.createWorkload('/apis/apps/v1', 'statefulsets', parallel);
    await course.run(2);
    await course.create({ maxUnavailable: 1 });
    await course.until('calculated', has({ expectedPods: 2, desiredHealthy: 1, disruptionsAllowed: 1 }));
  },
  'has a maximum for a ReplicaSet': async (course) => {
    await course.createWorkload('/apis/apps/v1', 'replicasets', { replicas: 3 });
    await course.run(3);
    await course.create({ maxUnavailable: '40%' });
    await course.until('calculated', has({ expectedPods: 3, currentHealthy: 3, disruptionsAllowed: 2 }));
  },
  'has a maximum for a custom kind': async (course) => {
    await course.createWidget(4, 'a', 'b');
    await course.create({ maxUnavailable: 3 });
    await course.run(2);
    await course.until('calculated', has({ expectedPods: 4, desiredHealthy: 1, currentHealthy: 2 }));
  },
  'has a maximum for a Job': async (course) => {
    await course.createJob();
    await course.run(1, false);
    await course.create({ maxUnavailable: 1 });
    await course.until('failed', ({ conditions }) => conditions?.[0]?.reason === 'SyncFailed');
    await course.evict();
  },
  'is not calculated yet': async (course) => {
    await course.createPods(['a']);
    await course.run(1);
    await course.create({ minAvailable: 0 });
    await course.until('calculated', has({ currentHealthy: 1, disruptionsAllowed: 1 }));
    await course.changeStatus({ observedGeneration: 0 });
    await course.until('calculated again', has({ disruptionsAllowed: 1 }));
  },
  'protects pods that are not ready': async (course) => {
    await course.createPods(['a', 'b']);
    await course.create({ minAvailable: 2 });
    await course.run(2, false);
    await course.until('calculated', has({ expectedPods: 2, currentHealthy: 0 }));
    await course.evict('a');
    await course.until('kept', has({ expectedPods: 2 }, 2));
  },
  'lets pods that are not ready go if enough others are': async (course) => {
    await course.createPods(['a', 'b']);
    await course.create({ minAvailable: 1 });
    await course.runPod('a', true);
    await course.runPod('b', false);
    await course.until('calculated', has({ expectedPods: 2, currentHealthy: 1, disruptionsAllowed: 0 }));
    await course.evict('a');
    await course.evict('b');
    await course.until('evicted', has({ expectedPods: 1 }, 1));
  },
  'always lets pods that are not ready go': async (course) => {
    await course.createPods(['a', 'b']);
    await course.create({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
    await course.run(2, false);
    await course.until('calculated', has({ expectedPods: 2, currentHealthy: 0 }));
    await course.evict('a');
    await course.until('evicted', has({ expectedPods: 1 }, 1));
  },
  'does not protect pending pods': async (course) => {
    await course.createPods(['a']);
    await course.create({ minAvailable: 1 });
    await course.until('calculated', has({ expectedPods: 1 }));
    await course.evict('a');
    await course.until('evicted', has({ expectedPods: 0 }, 0));
  },
  'is one of two for the same pod': async (course) => {
    await course.createPods(['a']);
    // Before the budgets: a pod that changes makes the real controller calculate only one of its budgets, an arbitrary one.
    await course.run(1);
    await course.create({ minAvailable: 0 });
    await course.create({ minAvailable: 0 }, 'other');
    await course.until('calculated', has({ disruptionsAllowed: 1 }));
    await course.evict('a');
  },
  'marks the pod that it lets go': async (course) => {
    await course.createPods(['a', 'b']);
    await course.holdPod('a');
    await course.create({ minAvailable: 1 });
    await course.run(2);
    await course.until('calculated', has({ currentHealthy: 2, disruptionsAllowed: 1 }));
    await course.evict('a', { dryRun: ['All'] });
    await course.until('kept', has({ currentHealthy: 2 }));
    await course.evict('a');
    await course.until('evicted', has({ currentHealthy: 1, disruptionsAllowed: 0, disruptedPods: undefined }, 2));
    await course.evict('a', { preconditions: { uid: 'other' } });
    await course.evict('a');
  },
};

/** The custom kind of the scenarios. */
export const widgetDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `widgets.${widgets}` },
  spec: {
    group: widgets,
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { replicas: { type: 'integer' } } },
              status: { type: 'object', properties: { replicas: { type: 'integer' } } },
            },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
      },
    ],
  },
};
