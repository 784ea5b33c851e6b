import type { ControllerRevision, DaemonSet, Pod } from '@evenkeel/kinds';
import { Course, type Spec } from '../course.fixture.ts';

const name = 'agent';
const labels = { app: 'agent' };
const first = 'a:1';

interface Sight {
  readonly set: DaemonSet | undefined;
  readonly pods: readonly Pod[];
  readonly revisions: readonly ControllerRevision[];
}

/**
 * A scenario of one DaemonSet, in its own namespace and on its own nodes of one server. Its pods are not scheduled unless
 * they run: the scenario itself sets their status.
 */
export class DaemonSetCourse extends Course {
  /** Adds nodes that only the pods of this scenario tolerate. */
  async addNodes(...nodes: readonly string[]): Promise<void> {
    for (const node of nodes) {
      const taints = [{ key: 'only', value: this.namespace, effect: 'NoSchedule' }];
      await this.send('POST', '/api/v1/nodes', {
        metadata: { name: this.#node(node), labels: { course: this.namespace } },
        spec: { taints },
      });
    }
  }

  removeNode(node: string): Promise<unknown> {
    return this.send('DELETE', `/api/v1/nodes/${this.#node(node)}`);
  }

  changeLabels(node: string, changed: Spec): Promise<unknown> {
    return this.send('PATCH', `/api/v1/nodes/${this.#node(node)}`, { metadata: { labels: changed } });
  }

  /** Adds a taint that the pods of this scenario do not tolerate. */
  async taint(node: string): Promise<void> {
    const path = `/api/v1/nodes/${this.#node(node)}`;
    const { spec } = (await this.send('GET', path)) as { spec: { taints: object[] } };
    await this.send('PATCH', path, { spec: { taints: [...spec.taints, { key: 'closed', effect: 'NoSchedule' }] } });
  }

  /** Creates a DaemonSet. Its pods wait for the scenario unless `runs`. */
  create(spec: Spec = {}, pod: Spec = {}, runs = false): Promise<unknown> {
    const template = {
      metadata: { labels },
      spec: {
        nodeSelector: { course: this.namespace },
        tolerations: [
          { key: 'only', operator: 'Exists' },
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoSchedule' },
        ],
        containers: [{ name: 'a', image: first }],
        ...(runs ? {} : { schedulerName: 'by-hand' }),
        ...pod,
      },
    };
    return this.send('POST', this.#apps('daemonsets'), {
      metadata: { name, annotations: { note: 'kept' } },
      spec: { selector: { matchLabels: labels }, template, ...spec },
    });
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#apps('daemonsets', name), { spec });
  }

  /** Changes the pod template. */
  useImage(image: string): Promise<unknown> {
    return this.change({ template: { spec: { containers: [{ name: 'a', image }] } } });
  }

  remove(propagationPolicy: string): Promise<unknown> {
    return this.send('DELETE', `${this.#apps('daemonsets', name)}?propagationPolicy=${propagationPolicy}`);
  }

  /** Makes the other pods ready too, since a time long ago unless another one is given. */
  async becomeReady(lastTransitionTime = '2026-01-01T00:00:00Z'): Promise<void> {
    for (const { metadata, status } of (await this.#look()).pods) {
      // The controller may delete a pod that was ready before.
      if (status?.phase !== 'Pending') continue;
      const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];
      await this.#patchPod(metadata.name, '/status', { status: { phase: 'Running', conditions } });
    }
  }

  /** Waits until a new pod is younger than all others, in whole seconds. The controllers sort pods by age, then by name. */
  async untilNewPodsAreYounger(): Promise<void> {
    const { pods } = await this.#look();
    const youngest = Math.max(...pods.map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')));
    await this.wait(
      'later',
      async () => Date.now(),
      (nowMs) => nowMs >= youngest + 1000,
    );
  }

  /** Ends the first pod. */
  async end(phase: 'Succeeded' | 'Failed'): Promise<void> {
    const { pods } = await this.#look();
    await this.#patchPod(pods[0]?.metadata.name ?? '', '/status', { status: { phase } });
  }

  async removePod(): Promise<void> {
    const { pods } = await this.#look();
    await this.send('DELETE', this.#core('pods', pods[0]?.metadata.name ?? ''));
  }

  async relabelPod(changed: Spec): Promise<void> {
    const { pods } = await this.#look();
    await this.#patchPod(pods[0]?.metadata.name ?? '', '', { metadata: { labels: changed } });
  }

  /** Allows no more pods. Waits until the server enforces this. */
  async forbidPods(): Promise<void> {
    await this.send('POST', this.#core('resourcequotas'), {
      metadata: { name: 'none' },
      spec: { hard: { pods: '0' } },
    });
    await this.wait(
      'enforced',
      async () => (await this.send('GET', this.#core('resourcequotas', 'none'))) as { status?: { hard?: object } },
      ({ status }) => status?.hard !== undefined,
    );
  }

  /** Waits until the status is current and the condition holds, and records what is there. */
  async until(what: string, isSo: (status: DaemonSetStatus, pods: readonly Pod[]) => boolean): Promise<void> {
    const seen = await this.wait(
      what,
      this.#look,
      ({ set, pods }) =>
        set?.status !== undefined &&
        set.status.observedGeneration === set.metadata.generation &&
        isSo(set.status, pods),
    );
    this.seen.push({ what, ...seen });
  }

  async untilGone(isSo: (pods: readonly Pod[]) => boolean): Promise<void> {
    const seen = await this.wait('gone', this.#look, ({ set, pods }) => set === undefined && isSo(pods));
    this.seen.push({ what: 'gone', set: 'none', pods: seen.pods, revisions: seen.revisions });
  }

  async untilReported(reason: string): Promise<void> {
    await this.wait(
      reason,
      () => this.events(),
      (events) => events.some((event) => event.includes(` ${reason}: `)),
    );
  }

  events(): Promise<string[]> {
    return this.eventsOf('DaemonSet');
  }

  readonly #look = async (): Promise<Sight> => {
    const { status, body } = await this.server.send('GET', this.#apps('daemonsets', name));
    return {
      set: status === 404 ? undefined : (body as DaemonSet),
      pods: (await this.list(this.#core('pods'))) as Pod[],
      revisions: (await this.list(this.#apps('controllerrevisions'))) as ControllerRevision[],
    };
  };

  #patchPod(pod: string, subresource: string, patch: object): Promise<unknown> {
    return this.send('PATCH', `${this.#core('pods', pod)}${subresource}`, patch);
  }

  #node(node: string): string {
    return `${this.namespace}-${node}`;
  }

  #apps(plural: string, one?: string): string {
    return this.path('/apis/apps/v1', plural, one);
  }

  #core(plural: string, one?: string): string {
    return this.path('/api/v1', plural, one);
  }
}

type DaemonSetStatus = NonNullable<DaemonSet['status']>;

const has =
  (wanted: Partial<DaemonSetStatus>, podCount?: number) =>
  (status: DaemonSetStatus, pods: readonly Pod[]): boolean =>
    Object.entries(wanted).every(([field, count]) => (status[field as keyof DaemonSetStatus] ?? 0) === count) &&
    (podCount === undefined || pods.length === podCount);

/** All of so many pods are ready, and so many have the present template. */
const isReady = (count: number, updated = count): ReturnType<typeof has> =>
  has({ desiredNumberScheduled: count, numberAvailable: count, updatedNumberScheduled: updated }, count);

/** So many nodes have a pod, and so many of these pods are available. */
const isPartlyReady = (count: number, available: number, updated: number, pods = count): ReturnType<typeof has> =>
  has({ currentNumberScheduled: count, numberAvailable: available, updatedNumberScheduled: updated }, pods);

const rolling = (rollingUpdate: Spec): Spec => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate } });

/** Creates a DaemonSet with ready pods on so many nodes. */
async function started(course: DaemonSetCourse, nodes: readonly string[], spec: Spec = {}): Promise<void> {
  await course.addNodes(...nodes);
  await course.create(spec);
  await course.until('created', isPartlyReady(nodes.length, 0, nodes.length));
  await course.becomeReady();
  await course.until('ready', isReady(nodes.length));
}

export const daemonSetCourses: Readonly<Record<string, (course: DaemonSetCourse) => Promise<void>>> = {
  'runs a pod on each node': async (course) => {
    await course.addNodes('a', 'b');
    await course.create({}, {}, true);
    await course.until('running', isReady(2));
  },
  'selects no node': async (course) => {
    await course.create();
    await course.until('created', has({ desiredNumberScheduled: 0 }, 0));
  },
  'tolerates more taints on the network of its nodes': async (course) => {
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'course', operator: 'Exists' }] }],
      },
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 1, preference: { matchExpressions: [{ key: 'fast', operator: 'Exists' }] } },
      ],
    };
    await course.addNodes('a');
    await course.create({}, { hostNetwork: true, affinity: { nodeAffinity } });
    await course.until('created', isPartlyReady(1, 0, 1));
  },
  'follows the labels of nodes': async (course) => {
    await started(course, ['a']);
    await course.addNodes('b');
    await course.until('on both', isPartlyReady(2, 1, 2));
    await course.changeLabels('a', { course: null });
    await course.until('on the second', has({ desiredNumberScheduled: 1, numberMisscheduled: 0 }, 1));
  },
  'leaves its pods on a node that gets a taint': async (course) => {
    await started(course, ['a', 'b']);
    await course.taint('a');
    await course.until('misscheduled', has({ desiredNumberScheduled: 1, numberMisscheduled: 1 }, 2));
  },
  'loses a node': async (course) => {
    await started(course, ['a', 'b']);
    await course.removeNode('b');
    await course.until('on one', isReady(1));
  },
  'replaces one pod after the other': async (course) => {
    await started(course, ['a', 'b', 'c']);
    await course.useImage('a:2');
    for (const updated of [1, 2, 3]) {
      await course.until(`replaced ${updated}`, isPartlyReady(3, 2, updated));
      await course.becomeReady();
    }
    await course.until('replaced', isReady(3));
  },
  'replaces several pods at once': async (course) => {
    await started(course, ['a', 'b', 'c'], rolling({ maxUnavailable: '50%' }));
    await course.useImage('a:2');
    await course.until('replaced two', isPartlyReady(3, 1, 2));
    await course.becomeReady();
    await course.until('replaced three', isPartlyReady(3, 2, 3));
    await course.becomeReady();
    await course.until('replaced', isReady(3));
  },
  'replaces pods that are not ready first': async (course) => {
    await course.addNodes('a', 'b');
    await course.create();
    await course.until('created', isPartlyReady(2, 0, 2));
    await course.useImage('a:2');
    await course.until('replaced', isPartlyReady(2, 0, 2));
  },
  'starts a new pod before it stops the old one': async (course) => {
    await started(course, ['a', 'b'], rolling({ maxUnavailable: 0, maxSurge: 1 }));
    await course.untilNewPodsAreYounger();
    await course.useImage('a:2');
    await course.until('surging', (status, pods) => status.numberAvailable === 2 && pods.length === 3);
    await course.becomeReady();
    await course.until('surging again', (status, pods) => status.updatedNumberScheduled === 1 && pods.length === 3);
    await course.becomeReady();
    await course.until('replaced', isReady(2));
  },
  'replaces pods that are deleted': async (course) => {
    await started(course, ['a', 'b'], { updateStrategy: { type: 'OnDelete' } });
    await course.useImage('a:2');
    await course.until('changed', isReady(2, 0));
    await course.removePod();
    await course.until('replaced', isPartlyReady(2, 1, 1));
  },
  'waits until its pods are available': async (course) => {
    await course.addNodes('a');
    await course.create({ minReadySeconds: 1000 });
    await course.until('created', isPartlyReady(1, 0, 1));
    await course.becomeReady(new Date().toISOString().replace(/\.\d+/, ''));
    await course.until('ready', has({ numberReady: 1, numberAvailable: 0 }, 1));
    await course.change({ minReadySeconds: null });
    await course.until('available', isReady(1));
  },
  'replaces a pod that failed': async (course) => {
    await started(course, ['a']);
    await course.end('Failed');
    await course.untilReported('FailedDaemonPod');
    await course.until('replaced', isPartlyReady(1, 0, 1));
  },
  'replaces a pod that succeeded': async (course) => {
    await started(course, ['a']);
    await course.end('Succeeded');
    await course.untilReported('SucceededDaemonPod');
    await course.until('replaced', isPartlyReady(1, 0, 1));
  },
  'returns to a former template': async (course) => {
    await started(course, ['a']);
    for (const image of ['a:2', first]) {
      await course.useImage(image);
      await course.until(`replaced with ${image}`, isPartlyReady(1, 0, 1));
      await course.becomeReady();
      await course.until(`ready with ${image}`, isReady(1));
    }
  },
  'keeps no former template': async (course) => {
    await started(course, ['a'], { revisionHistoryLimit: 0 });
    await course.useImage('a:2');
    await course.until('replaced', isPartlyReady(1, 0, 1));
    await course.becomeReady();
    await course.until('ready', isReady(1));
  },
  'adopts the pods of a former DaemonSet': async (course) => {
    await started(course, ['a']);
    await course.remove('Orphan');
    await course.untilGone((pods) => pods.every(({ metadata }) => metadata.ownerReferences === undefined));
    await course.create();
    await course.until('adopted', isReady(1));
  },
  'releases a pod that it no longer selects': async (course) => {
    await started(course, ['a']);
    await course.relabelPod({ app: 'other' });
    await course.until('released', isPartlyReady(1, 0, 1, 2));
  },
  'reports why its pods are rejected': async (course) => {
    await course.addNodes('a');
    await course.forbidPods();
    await course.create();
    await course.untilReported('FailedCreate');
    await course.until('rejected', has({ desiredNumberScheduled: 1, currentNumberScheduled: 0 }, 0));
  },
  'is deleted after its pods': async (course) => {
    await started(course, ['a']);
    await course.remove('Foreground');
    await course.untilGone((pods) => pods.length === 0);
  },
};
