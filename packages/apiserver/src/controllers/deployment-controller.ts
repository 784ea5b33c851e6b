import { isAlreadyExists, labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { Deployment, Pod, PodTemplateSpec, ReplicaSet } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { controllerOf, controllerReferenceTo, isControlledBy, keyOf, splitKey } from './controller-reference.ts';
import {
  desiredAnnotation,
  maxAnnotation,
  proportionalSteps,
  replicasOf,
  revisionAnnotation,
  rollingStep,
  rolloutBounds,
  type ScaleStep,
} from './deployment-scaling.ts';
import { deploymentStatus } from './deployment-status.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';
import { isActive } from './pod-readiness.ts';
import { podTemplateHash, podTemplateHashLabel } from './pod-template-hash.ts';

const deployments = { group: 'apps', plural: 'deployments' };
const replicaSets = { group: 'apps', plural: 'replicasets' };
const pods = { group: '', plural: 'pods' };

const historyAnnotation = 'deployment.kubernetes.io/revision-history';

/** Annotations that a ReplicaSet does not copy from its Deployment (`annotationsToSkip`). */
const annotationsToSkip: ReadonlySet<string> = new Set([
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  'deprecated.deployment.rollback.to',
]);

/** Rolls out a Deployment's pod template over ReplicaSets, by the Deployment's strategy. */
export const deploymentController: EmbeddedController = {
  name: 'deployment-controller',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'deployment-controller');
    const sync = new KeyedSync(context, (key) => new Rollout(context, events, sync).sync(key));
    const stops = [
      client.watch<Deployment>(deployments, ({ object }) => sync.add(keyOf(object))),
      client.watch<ReplicaSet>(replicaSets, ({ object, old }) => {
        for (const set of [object, old]) {
          const owner = set === undefined ? undefined : controllerOf(set);
          if (owner?.kind === 'Deployment') sync.add(`${set?.metadata.namespace ?? ''}/${owner.name}`);
        }
      }),
      client.watch<Pod>(pods, ({ type, object }) => {
        // The Recreate strategy waits until the last old pod is gone.
        const owner = type === 'DELETED' ? controllerOf(object) : undefined;
        if (owner?.kind !== 'ReplicaSet') return;
        const set = client.get<ReplicaSet>(replicaSets, object.metadata.namespace, owner.name);
        const deployment = set === undefined ? undefined : controllerOf(set);
        if (deployment !== undefined) sync.add(`${object.metadata.namespace ?? ''}/${deployment.name}`);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

class Rollout {
  readonly #context: ControllerContext;
  readonly #events: EventWriter;
  readonly #sync: KeyedSync;

  constructor(context: ControllerContext, events: EventWriter, sync: KeyedSync) {
    this.#context = context;
    this.#events = events;
    this.#sync = sync;
  }

  async sync(key: string): Promise<void> {
    const { namespace, name } = splitKey(key);
    const deployment = this.#context.client.get<Deployment>(deployments, namespace, name);
    if (deployment === undefined) return;
    const sets = await this.#claimSets(deployment);
    if (deployment.metadata.deletionTimestamp !== undefined || deployment.spec?.paused === true) {
      if (deployment.spec?.paused === true) await this.#scale(deployment, sets);
      return this.#writeStatus(key);
    }
    const existing = newSetAmong(deployment, sets);
    if (this.#isScaling(deployment, sets)) {
      await this.#scale(deployment, sets);
    } else if (deployment.spec?.strategy?.type === 'Recreate') {
      await this.#recreate(deployment, existing, sets);
    } else {
      const newSet = await this.#ensureNewSet(deployment, existing, sets);
      const old = sets.filter((set) => set.metadata.uid !== newSet.metadata.uid);
      for (const step of rollingStep(deployment, newSet, old.toSorted(byAge))) await this.#scaleSet(deployment, step);
      await this.#cleanUp(deployment, newSet, old);
    }
    await this.#writeStatus(key);
  }

  /** The ReplicaSets that the Deployment controls. First adopts matching ReplicaSets that have no controller. */
  async #claimSets(deployment: Deployment): Promise<ReplicaSet[]> {
    const { client } = this.#context;
    const requirements = labelRequirementsOf(deployment.spec?.selector ?? {});
    const claimed: ReplicaSet[] = [];
    for (const set of client.list<ReplicaSet>(replicaSets, deployment.metadata.namespace)) {
      if (isControlledBy(set, deployment)) claimed.push(set);
      else if (
        controllerOf(set) === undefined &&
        requirements.length > 0 &&
        matchesLabels(requirements, set.metadata.labels) &&
        set.metadata.deletionTimestamp === undefined &&
        deployment.metadata.deletionTimestamp === undefined
      ) {
        const ownerReferences = [...(set.metadata.ownerReferences ?? []), controllerReferenceTo(deployment)];
        claimed.push(
          await client.patch<ReplicaSet>(replicaSets, set.metadata.namespace, set.metadata.name, {
            metadata: { uid: set.metadata.uid, ownerReferences },
          }),
        );
      }
    }
    return claimed;
  }

  /** Whether `spec.replicas` changed since the ReplicaSets were last scaled. */
  #isScaling(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
    return sets.some((set) => {
      const desired = set.metadata.annotations?.[desiredAnnotation];
      return replicasOf(set) > 0 && desired !== undefined && Number(desired) !== deployment.spec?.replicas;
    });
  }

  async #scale(deployment: Deployment, sets: readonly ReplicaSet[]): Promise<void> {
    const active = sets.filter((set) => replicasOf(set) > 0);
    const newSet = newSetAmong(deployment, sets);
    const desired = deployment.spec?.replicas ?? 1;
    const latest = active.length === 1 ? active[0] : active.length === 0 ? newSet : undefined;
    if (latest !== undefined) {
      await this.#scaleSet(deployment, { set: latest, replicas: desired });
    } else if (
      newSet !== undefined &&
      (newSet.status?.availableReplicas ?? 0) === desired &&
      replicasOf(newSet) === desired
    ) {
      for (const set of active) {
        if (set.metadata.uid !== newSet.metadata.uid) await this.#scaleSet(deployment, { set, replicas: 0 });
      }
    } else if (deployment.spec?.strategy?.type !== 'Recreate') {
      for (const step of proportionalSteps(deployment, active)) await this.#scaleSet(deployment, step);
    }
  }

  async #recreate(
    deployment: Deployment,
    existing: ReplicaSet | undefined,
    sets: readonly ReplicaSet[],
  ): Promise<void> {
    const old = sets.filter((set) => set.metadata.uid !== existing?.metadata.uid);
    const full = old.filter((set) => replicasOf(set) > 0);
    for (const set of full) await this.#scaleSet(deployment, { set, replicas: 0 });
    const oldUids = new Set(old.map((set) => set.metadata.uid));
    const stillRunning = this.#context.client
      .list<Pod>(pods, deployment.metadata.namespace)
      .some((pod) => oldUids.has(controllerOf(pod)?.uid ?? '') && (isActive(pod) || pod.metadata.deletionTimestamp));
    if (full.length > 0 || stillRunning) return;
    const newSet = await this.#ensureNewSet(deployment, existing, sets);
    await this.#scaleSet(deployment, { set: newSet, replicas: deployment.spec?.replicas ?? 1 });
    await this.#cleanUp(deployment, newSet, old);
  }

  /** The ReplicaSet of the current template, with up-to-date revision and annotations. Creates it if it does not exist. */
  async #ensureNewSet(
    deployment: Deployment,
    existing: ReplicaSet | undefined,
    sets: readonly ReplicaSet[],
  ): Promise<ReplicaSet> {
    const revision = String(
      Math.max(0, ...sets.filter((set) => set.metadata.uid !== existing?.metadata.uid).map(revisionOf)) + 1,
    );
    const kept =
      existing !== undefined && revisionOf(existing) >= Number(revision) ? String(revisionOf(existing)) : revision;
    const set =
      existing === undefined
        ? await this.#createSet(deployment, kept, sets)
        : await this.#annotate(existing, { ...this.#annotationsOf(deployment, kept), ...historyOf(existing, kept) });
    await this.#recordRevision(deployment, kept);
    return set;
  }

  async #createSet(deployment: Deployment, revision: string, sets: readonly ReplicaSet[]): Promise<ReplicaSet> {
    const { client } = this.#context;
    const template = deployment.spec?.template ?? {};
    const hash = podTemplateHash(template, deployment.status?.collisionCount ?? 0);
    const labels = { ...template.metadata?.labels, [podTemplateHashLabel]: hash };
    const placeholder = { spec: { replicas: 0 }, metadata: {} } as ReplicaSet;
    const recreate = deployment.spec?.strategy?.type === 'Recreate';
    const grown = recreate ? undefined : rollingStep(deployment, placeholder, sets)[0];
    const replicas = recreate ? (deployment.spec?.replicas ?? 1) : grown?.set === placeholder ? grown.replicas : 0;
    const wanted = {
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: {
        name: `${deployment.metadata.name}-${hash}`,
        namespace: deployment.metadata.namespace ?? '',
        labels,
        annotations: this.#annotationsOf(deployment, revision),
        ownerReferences: [controllerReferenceTo(deployment)],
      },
      spec: {
        replicas,
        ...(deployment.spec?.minReadySeconds === undefined ? {} : { minReadySeconds: deployment.spec.minReadySeconds }),
        selector: {
          ...deployment.spec?.selector,
          matchLabels: { ...deployment.spec?.selector.matchLabels, [podTemplateHashLabel]: hash },
        },
        template: { ...template, metadata: { ...template.metadata, labels } },
      },
    } as ReplicaSet;
    try {
      const created = await client.create<ReplicaSet>(replicaSets, wanted);
      if (replicas > 0) {
        this.#events.normal(
          deployment,
          'ScalingReplicaSet',
          `Scaled up replica set ${created.metadata.name} from 0 to ${replicas}`,
        );
      }
      return created;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // Another template has the same hash, or the ReplicaSet belonged to another Deployment: increase the collision count.
      await client.updateStatus(deployments, {
        ...deployment,
        status: { ...deployment.status, collisionCount: (deployment.status?.collisionCount ?? 0) + 1 },
      });
      throw error;
    }
  }

  async #recordRevision(deployment: Deployment, revision: string): Promise<void> {
    if (deployment.metadata.annotations?.[revisionAnnotation] === revision) return;
    const { namespace, name } = deployment.metadata;
    const metadata = { annotations: { [revisionAnnotation]: revision } };
    // A status write does not increment the generation if annotations change.
    await this.#context.client.patch(deployments, namespace, name, { metadata }, { subresource: 'status' });
  }

  async #scaleSet(deployment: Deployment, { set, replicas }: ScaleStep): Promise<void> {
    const { client } = this.#context;
    const from = replicasOf(set);
    const annotations = {
      ...set.metadata.annotations,
      [desiredAnnotation]: String(deployment.spec?.replicas ?? 1),
      [maxAnnotation]: String((deployment.spec?.replicas ?? 1) + rolloutBounds(deployment).maxSurge),
    };
    if (from === replicas && jsonEqual(annotations, set.metadata.annotations)) return;
    await client.update(replicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    });
    if (from === replicas) return;
    const direction = from < replicas ? 'up' : 'down';
    this.#events.normal(
      deployment,
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${set.metadata.name} from ${from} to ${replicas}`,
    );
  }

  #annotationsOf(deployment: Deployment, revision: string): Record<string, string> {
    const inherited = Object.entries(deployment.metadata.annotations ?? {}).filter(
      ([key]) => !annotationsToSkip.has(key),
    );
    return {
      ...Object.fromEntries(inherited),
      [revisionAnnotation]: revision,
      [desiredAnnotation]: String(deployment.spec?.replicas ?? 1),
      [maxAnnotation]: String((deployment.spec?.replicas ?? 1) + rolloutBounds(deployment).maxSurge),
    };
  }

  async #annotate(set: ReplicaSet, annotations: Record<string, string>): Promise<ReplicaSet> {
    const merged = { ...set.metadata.annotations, ...annotations };
    if (jsonEqual(merged, set.metadata.annotations)) return set;
    return this.#context.client.update<ReplicaSet>(replicaSets, {
      ...set,
      metadata: { ...set.metadata, annotations: merged },
    });
  }

  /** When a rollout is complete, deletes the oldest empty ReplicaSets beyond `revisionHistoryLimit`. */
  async #cleanUp(deployment: Deployment, newSet: ReplicaSet, old: readonly ReplicaSet[]): Promise<void> {
    const desired = deployment.spec?.replicas ?? 1;
    if (replicasOf(newSet) !== desired || (newSet.status?.availableReplicas ?? 0) !== desired) return;
    const empty = old
      .filter((set) => replicasOf(set) === 0 && (set.status?.replicas ?? 0) === 0)
      .toSorted((left, right) => revisionOf(left) - revisionOf(right));
    for (const set of empty.slice(0, Math.max(0, old.length - (deployment.spec?.revisionHistoryLimit ?? 10)))) {
      await this.#context.client.delete(replicaSets, set.metadata.namespace, set.metadata.name);
    }
  }

  async #writeStatus(key: string): Promise<void> {
    const { client, clock } = this.#context;
    const { namespace, name } = splitKey(key);
    const deployment = client.get<Deployment>(deployments, namespace, name);
    if (deployment === undefined) return;
    const sets = client.list<ReplicaSet>(replicaSets, namespace).filter((set) => isControlledBy(set, deployment));
    const { status, progressDeadlineMs } = deploymentStatus(
      deployment,
      sets,
      newSetAmong(deployment, sets),
      clock.now(),
    );
    if (!jsonEqual(status, deployment.status)) await client.updateStatus(deployments, { ...deployment, status });
    if (progressDeadlineMs !== undefined) this.#sync.addAfter(key, progressDeadlineMs);
  }
}

/** The oldest ReplicaSet with the current template, compared without the hash label (`FindNewReplicaSet`). */
function newSetAmong(deployment: Deployment, sets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const template = withoutHash(deployment.spec?.template);
  return sets.toSorted(byAge).find((set) => jsonEqual(withoutHash(set.spec?.template), template));
}

/** Removes the hash label, which the Deployment's template also has after a rollback (`EqualIgnoreHash`). */
function withoutHash(template: PodTemplateSpec | undefined): PodTemplateSpec | undefined {
  if (template?.metadata?.labels === undefined) return template;
  const { [podTemplateHashLabel]: _hash, ...labels } = template.metadata.labels;
  const { labels: _labels, ...metadata } = template.metadata;
  // Upstream's comparison treats absent and empty labels as equal.
  const isEmpty = Object.keys(labels).length === 0;
  return { ...template, metadata: isEmpty ? metadata : { ...metadata, labels } };
}

/** The previous revisions of a ReplicaSet that a rollback makes the newest again. */
function historyOf(set: ReplicaSet, revision: string): Record<string, string> {
  const before = set.metadata.annotations?.[revisionAnnotation];
  if (before === undefined || before === revision) return {};
  const history = set.metadata.annotations?.[historyAnnotation];
  return { [historyAnnotation]: history === undefined ? before : `${history},${before}` };
}

function revisionOf(set: ReplicaSet): number {
  return Number(set.metadata.annotations?.[revisionAnnotation] ?? 0) || 0;
}

function byAge({ metadata: left }: ReplicaSet, { metadata: right }: ReplicaSet): number {
  return (
    (left.creationTimestamp ?? '').localeCompare(right.creationTimestamp ?? '') ||
    // By code units, as Go compares; a locale orders hyphens and digits differently.
    Number(left.name > right.name) - Number(left.name < right.name)
  );
}
