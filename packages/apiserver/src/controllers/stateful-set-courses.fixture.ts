import type { ControllerRevision, PersistentVolume, PersistentVolumeClaim, Pod, StatefulSet } from '@evenkeel/kinds';
import { Course, type Spec } from './course.fixture.ts';

const name = 'db';
const labels = { app: 'db' };

interface Seen {
  readonly set: StatefulSet | undefined;
  readonly pods: readonly Pod[];
  readonly claims: readonly PersistentVolumeClaim[];
  readonly revisions: readonly ControllerRevision[];
  readonly volumes: readonly PersistentVolume[];
}

/** A scenario of one StatefulSet, in its own namespace on one server. */
export class StatefulSetCourse extends Course {
  async create(spec: Spec = {}, pod: Spec = {}): Promise<void> {
    await this.send('POST', this.#apps('statefulsets'), {
      metadata: { name },
      spec: {
        serviceName: 'db',
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a:1' }], ...pod } },
        ...spec,
      },
    });
  }

  /** Creates volumes that only the claims of this scenario fit. They differ only in the given specs. */
  async createVolumes(...specs: Spec[]): Promise<void> {
    for (const [index, spec] of specs.entries()) {
      const { claimRef } = spec as { claimRef?: Spec };
      await this.send('POST', '/api/v1/persistentvolumes', {
        metadata: { name: `${this.namespace}-${index}`, labels: { number: String(index) } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          capacity: { storage: '1Gi' },
          hostPath: { path: '/a' },
          storageClassName: this.namespace,
          ...spec,
          ...(claimRef !== undefined && { claimRef: { ...claimRef, namespace: this.namespace } }),
        },
      });
    }
  }

  /** Creates a claim that is not part of the set; `number` selects one volume of this scenario. */
  async createClaim(claim: string, spec: Spec, number?: number): Promise<void> {
    const [template] = this.claimTemplates;
    await this.send('POST', this.#core('persistentvolumeclaims'), {
      metadata: { name: claim },
      spec: {
        ...(template?.['spec'] as Spec),
        ...spec,
        ...(number !== undefined && { volumeName: `${this.namespace}-${number}` }),
      },
    });
  }

  removeClaim(claim: string): Promise<unknown> {
    return this.send('DELETE', this.#core('persistentvolumeclaims', claim));
  }

  /** A claim template that only the volumes of this scenario fit. */
  get claimTemplates(): Spec[] {
    return [
      {
        metadata: { name: 'data', labels: { kind: 'data' } },
        spec: {
          accessModes: ['ReadWriteOnce'],
          storageClassName: this.namespace,
          resources: { requests: { storage: '1Gi' } },
        },
      },
    ];
  }

  change(spec: Spec): Promise<unknown> {
    return this.send('PATCH', this.#apps('statefulsets', name), { spec });
  }

  changeImage(image: string): Promise<unknown> {
    return this.change({ template: { spec: { containers: [{ name: 'a', image }] } } });
  }

  remove(propagationPolicy: string): Promise<unknown> {
    return this.send('DELETE', `${this.#apps('statefulsets', name)}?propagationPolicy=${propagationPolicy}`);
  }

  removePod(ordinal: number): Promise<unknown> {
    return this.send('DELETE', this.#core('pods', `${name}-${ordinal}`));
  }

  changePod(ordinal: number, patch: Spec): Promise<unknown> {
    return this.send('PATCH', this.#core('pods', `${name}-${ordinal}`), patch);
  }

  endPod(ordinal: number): Promise<unknown> {
    return this.send('PATCH', `${this.#core('pods', `${name}-${ordinal}`)}/status`, { status: { phase: 'Failed' } });
  }

  async look(): Promise<Seen> {
    const { status, body } = await this.server.send('GET', this.#apps('statefulsets', name));
    return {
      set: status === 404 ? undefined : (body as StatefulSet),
      pods: (await this.list(this.#core('pods'))) as Pod[],
      claims: (await this.list(this.#core('persistentvolumeclaims'))) as PersistentVolumeClaim[],
      revisions: (await this.list(this.#apps('controllerrevisions'))) as ControllerRevision[],
      volumes: ((await this.list('/api/v1/persistentvolumes')) as PersistentVolume[]).filter(
        ({ spec }) => spec?.storageClassName === this.namespace,
      ),
    };
  }

  events(): Promise<string[]> {
    return this.eventsOf('StatefulSet');
  }

  /** Waits until the condition is true, and records what was seen. */
  async until(what: string, isSo: (seen: Seen) => boolean): Promise<void> {
    const seen = await this.wait(what, () => this.look(), isSo);
    const revisions = seen.revisions.toSorted((left, right) => left.revision - right.revision);
    this.seen.push({ what, ...seen, revisions });
  }

  #apps(plural: string, one?: string): string {
    return this.path('/apis/apps/v1', plural, one);
  }

  #core(plural: string, one?: string): string {
    return this.path('/api/v1', plural, one);
  }
}

const isReady = ({ metadata, status }: Pod): boolean =>
  metadata.deletionTimestamp === undefined &&
  status?.conditions?.some(({ type, status: holds }) => type === 'Ready' && holds === 'True') === true;

/** The status has the correct number of pods at each revision, and no update remains to be marked complete. */
function countsRevisions(set: StatefulSet | undefined, pods: readonly Pod[]): boolean {
  const { currentRevision, updateRevision, currentReplicas = 0, updatedReplicas = 0 } = set?.status ?? {};
  const at = (name: string | undefined): number =>
    pods.filter(({ metadata }) => metadata.labels?.['controller-revision-hash'] === name).length;
  const isUpdated = at(updateRevision) === pods.length && set?.spec?.updateStrategy?.type === 'RollingUpdate';
  return (
    at(currentRevision) === currentReplicas &&
    at(updateRevision) === updatedReplicas &&
    (!isUpdated || currentRevision === updateRevision)
  );
}

/** The given number of pods is ready, the status reports it for the current generation, and claims are bound. */
const hasReady =
  (count: number, images: readonly string[] = []) =>
  ({ set, pods, claims }: Seen): boolean =>
    set?.status?.observedGeneration === set?.metadata.generation &&
    (set?.status?.readyReplicas ?? 0) === count &&
    (set?.status?.replicas ?? 0) === count &&
    countsRevisions(set, pods) &&
    pods.length === count &&
    pods.every(isReady) &&
    claims.every(({ status }) => status?.phase === 'Bound') &&
    images.every((image, index) => pods[index]?.spec?.containers[0]?.image === image);

const hasPhases =
  (...phases: string[]) =>
  ({ volumes }: Pick<Seen, 'volumes'>): boolean =>
    JSON.stringify(volumes.map(({ status }) => status?.phase).sort()) === JSON.stringify(phases);

/** The garbage collector deletes pods and revisions in any order, and may still be at work when the set is gone. */
const isGone = ({ set, pods, revisions }: Seen): boolean =>
  set === undefined && pods.length === 0 && revisions.length === 0;

const isOrphaned = ({ set, pods, revisions }: Seen): boolean =>
  set === undefined && [...pods, ...revisions].every(({ metadata }) => !metadata.ownerReferences);

/** Scenarios of StatefulSets. Each must have the same outcome on any server with a StatefulSet controller. */
export const statefulSetCourses: Readonly<Record<string, (course: StatefulSetCourse) => Promise<void>>> = {
  'scales up and down in order': async (course) => {
    await course.create({ replicas: 2 });
    await course.until('ready', hasReady(2));
    await course.change({ replicas: 3 });
    await course.until('larger', hasReady(3));
    await course.change({ replicas: 1 });
    await course.until('smaller', hasReady(1));
  },
  'waits until its first pod is ready': async (course) => {
    await course.create({ replicas: 2 }, { schedulerName: 'nobody' });
    await course.until('waiting', ({ set, pods }) => pods.length === 1 && set?.status?.replicas === 1);
  },
  'creates all pods at once': async (course) => {
    await course.create({ replicas: 2, podManagementPolicy: 'Parallel' }, { schedulerName: 'nobody' });
    await course.until('made', ({ set, pods }) => pods.length === 2 && set?.status?.replicas === 2);
  },
  'starts with another ordinal': async (course) => {
    await course.create({ replicas: 2, ordinals: { start: 5 } });
    await course.until('ready', hasReady(2));
  },
  'updates its template, the last pod first': async (course) => {
    await course.create({ replicas: 2 });
    await course.until('ready', hasReady(2));
    await course.changeImage('a:2');
    await course.until('updated', hasReady(2, ['a:2', 'a:2']));
    await course.changeImage('a:1');
    await course.until('as before', hasReady(2, ['a:1', 'a:1']));
  },
  'updates its template up to a partition': async (course) => {
    const rolling = (partition: number): Spec => ({
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition } },
    });
    await course.create({ replicas: 2, ...rolling(1) });
    await course.until('ready', hasReady(2));
    await course.changeImage('a:2');
    await course.until('half updated', hasReady(2, ['a:1', 'a:2']));
    await course.removePod(0);
    await course.until('still half updated', hasReady(2, ['a:1', 'a:2']));
    await course.change(rolling(0));
    await course.until('updated', hasReady(2, ['a:2', 'a:2']));
  },
  'updates its template when pods are deleted': async (course) => {
    await course.create({ replicas: 2, updateStrategy: { type: 'OnDelete' } });
    await course.until('ready', hasReady(2));
    await course.changeImage('a:2');
    await course.until('known', hasReady(2, ['a:1', 'a:1']));
    await course.removePod(1);
    await course.until('half updated', hasReady(2, ['a:1', 'a:2']));
  },
  'deletes old revisions': async (course) => {
    await course.create({ replicas: 1, revisionHistoryLimit: 1 });
    await course.until('ready', hasReady(1));
    for (const image of ['a:2', 'a:3', 'a:4']) {
      await course.changeImage(image);
      await course.until(`at ${image}`, (seen) => hasReady(1, [image])(seen) && seen.revisions.length <= 2);
    }
  },
  'replaces a pod that failed': async (course) => {
    await course.create({ replicas: 1 });
    await course.until('ready', hasReady(1));
    await course.changePod(0, { metadata: { labels: { mark: 'old' } } });
    await course.endPod(0);
    await course.until(
      'replaced',
      (seen) => hasReady(1)(seen) && seen.pods[0]?.metadata.labels?.['mark'] === undefined,
    );
  },
  'restores the identity labels of its pods': async (course) => {
    await course.create({ replicas: 1 });
    await course.until('ready', hasReady(1));
    await course.changePod(0, { metadata: { labels: { 'statefulset.kubernetes.io/pod-name': 'other' } } });
    await course.until(
      'put back',
      (seen) => hasReady(1)(seen) && seen.pods[0]?.metadata.labels?.['statefulset.kubernetes.io/pod-name'] === 'db-0',
    );
  },
  'creates claims and keeps them': async (course) => {
    await course.createVolumes({}, {});
    await course.create({ replicas: 2, volumeClaimTemplates: course.claimTemplates });
    await course.until('ready', hasReady(2));
    await course.change({ replicas: 1 });
    await course.until('smaller', hasReady(1));
    await course.change({ replicas: 2 });
    await course.until('as before', hasReady(2));
    await course.remove('Foreground');
    await course.until('gone', isGone);
    await course.removeClaim('data-db-0');
    await course.until(
      'left',
      ({ claims, volumes }) => claims.length === 1 && hasPhases('Bound', 'Released')({ volumes }),
    );
  },
  'deletes claims with its pods and with itself': async (course) => {
    await course.createVolumes({}, {});
    await course.create({
      replicas: 2,
      volumeClaimTemplates: course.claimTemplates,
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Delete' },
    });
    await course.until(
      'ready',
      (seen) => hasReady(2)(seen) && seen.claims.every((claim) => claim.metadata.ownerReferences),
    );
    await course.change({ replicas: 1 });
    await course.until(
      'smaller',
      (seen) => hasReady(1)(seen) && seen.claims.length === 1 && hasPhases('Bound', 'Released')(seen),
    );
    await course.remove('Background');
    await course.until(
      'gone',
      (seen) => isGone(seen) && seen.claims.length === 0 && hasPhases('Released', 'Released')(seen),
    );
  },
  'does not affect claims outside of the set, each with a matching volume': async (course) => {
    await course.createVolumes(
      { capacity: { storage: '9Gi' } },
      { capacity: { storage: '2Gi' } },
      { accessModes: ['ReadWriteOnce', 'ReadWriteMany'], capacity: { storage: '3Gi' } },
      { claimRef: { name: 'expected' } },
      { volumeMode: 'Block' },
      { capacity: { storage: '1Gi' } },
    );
    await course.until('free', hasPhases(...Array.from({ length: 6 }, () => 'Available')));
    const claims: readonly (readonly [string, Spec, number?])[] = [
      ['middling', { resources: { requests: { storage: '1500Mi' } } }],
      ['shared', { accessModes: ['ReadWriteMany'] }],
      ['named', {}, 0],
      ['expected', {}],
      ['raw', { volumeMode: 'Block' }],
      ['labelled', { selector: { matchLabels: { number: '5' } } }],
      ['hopeless', { resources: { requests: { storage: '100Gi' } } }],
    ];
    for (const claim of claims) await course.createClaim(...claim);
    const isBound = ({ metadata, status }: PersistentVolumeClaim): boolean =>
      (status?.phase === 'Bound') === (metadata.name !== 'hopeless');
    await course.until('bound', ({ claims: there }) => there.length === 7 && there.every(isBound));
    await course.removeClaim('hopeless');
    await course.removeClaim('named');
    await course.until('left', (seen) => seen.claims.length === 5 && seen.volumes[0]?.status?.phase === 'Released');
  },
  'orphans its pods': async (course) => {
    await course.create({ replicas: 1 });
    await course.until('ready', hasReady(1));
    await course.remove('Orphan');
    await course.until('gone', isOrphaned);
  },
};
