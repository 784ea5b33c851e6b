import {
  type LabelSelectorSpec,
  labelRequirementsOf,
  matchesLabels,
  type OwnerReference,
  rfc3339,
  StatusError,
} from '@evenkeel/core';
import type { Pod, ReplicaSet, ReplicaSetStatus } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { controllerOf, controllerReferenceTo, isControlledBy, keyOf, splitKey } from './controller-reference.ts';
import { EventWriter } from './event-writer.ts';
import { KeyedSync } from './keyed-sync.ts';
import { isActive, isReady, untilAvailableMs } from './pod-readiness.ts';
import type { ServerClient, ServerResource } from './server-client.ts';

const pods = { group: '', plural: 'pods' };

/** The most pods that upstream creates or deletes in one sync (`BurstReplicas`). */
const burstReplicas = 500;

/** A kind that keeps a number of pods: ReplicaSet, or its predecessor ReplicationController. */
interface ReplicaKind {
  readonly kind: 'ReplicaSet' | 'ReplicationController';
  readonly resource: ServerResource;
  selectorOf(set: ReplicaSet): LabelSelectorSpec;
}

/** Keeps the desired number of pods of a ReplicaSet. Adopts matching pods that have no controller. */
export const replicaSetController: EmbeddedController = controllerOfReplicas('replicaset-controller', {
  kind: 'ReplicaSet',
  resource: { group: 'apps', plural: 'replicasets' },
  selectorOf: ({ spec }) => spec?.selector ?? {},
});

/** The same for a ReplicationController, whose selector is a map of labels. */
export const replicationController: EmbeddedController = controllerOfReplicas('replication-controller', {
  kind: 'ReplicationController',
  resource: { group: '', plural: 'replicationcontrollers' },
  selectorOf: ({ spec }) => ({ matchLabels: (spec?.selector ?? {}) as Record<string, string> }),
});

function controllerOfReplicas(name: string, replicas: ReplicaKind): EmbeddedController {
  return {
    name,
    start(context) {
      const { client, clock } = context;
      const events = new EventWriter(client, clock, name);
      const refused = new Set<string>();
      const sync: KeyedSync = new KeyedSync(context, (key) =>
        syncReplicaSet({ ...context, replicas, events, refused, sync }, key),
      );
      const stops = [
        client.watch<ReplicaSet>(replicas.resource, ({ object }) => sync.add(keyOf(object))),
        client.watch<Pod>(pods, ({ object, old }) => {
          for (const pod of [object, old]) {
            if (pod === undefined) continue;
            const owner = controllerOf(pod);
            if (owner?.kind === replicas.kind) sync.add(`${pod.metadata.namespace ?? ''}/${owner.name}`);
            else if (owner === undefined) for (const key of matchingSets(client, replicas, pod)) sync.add(key);
          }
        }),
      ];
      return () => {
        for (const stop of stops) stop();
        sync.stop();
      };
    },
  };
}

function matchingSets(client: ServerClient, replicas: ReplicaKind, pod: Pod): string[] {
  return client
    .list<ReplicaSet>(replicas.resource, pod.metadata.namespace)
    .filter((set) => selects(replicas, set, pod))
    .map(keyOf);
}

function selects(replicas: ReplicaKind, set: ReplicaSet, pod: Pod): boolean {
  const requirements = labelRequirementsOf(replicas.selectorOf(set));
  return requirements.length > 0 && matchesLabels(requirements, pod.metadata.labels);
}

interface ReplicaSetContext extends ControllerContext {
  readonly replicas: ReplicaKind;
  readonly events: EventWriter;
  /** The keys of the sets whose last Pod the server rejected. */
  readonly refused: Set<string>;
  readonly sync: KeyedSync;
}

async function syncReplicaSet(context: ReplicaSetContext, key: string): Promise<void> {
  const { client, clock, replicas, events, refused, sync } = context;
  const { namespace, name } = splitKey(key);
  const set = client.get<ReplicaSet>(replicas.resource, namespace, name);
  if (set === undefined) {
    refused.delete(key);
    return;
  }
  const mine = await claimPods(context, set);
  const active = mine.filter(isActive);
  let refusal: StatusError | undefined;
  if (set.metadata.deletionTimestamp === undefined) {
    const missing = (set.spec?.replicas ?? 1) - active.length;
    for (let created = 0; created < Math.min(missing, burstReplicas) && refusal === undefined; created++) {
      refusal = await createPod(context, key, set);
    }
    if (refusal === undefined) refused.delete(key);
    const surplus = missing >= 0 ? [] : active.toSorted(deleteFirst).slice(0, Math.min(-missing, burstReplicas));
    for (const pod of surplus) {
      await client.delete(pods, pod.metadata.namespace, pod.metadata.name);
      events.normal(set, 'SuccessfulDelete', `Deleted pod: ${pod.metadata.name}`);
    }
  }
  const untilNextMs = await writeStatus(context, key, clock.now(), refusal);
  if (refusal !== undefined) throw refusal;
  if (untilNextMs !== undefined) sync.addAfter(key, untilNextMs);
}

/** Returns the error with which the server rejected the Pod. */
async function createPod(
  { client, events, refused }: ReplicaSetContext,
  key: string,
  set: ReplicaSet,
): Promise<StatusError | undefined> {
  try {
    const pod = await client.create<Pod>(pods, podOf(set));
    events.normal(set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
    return undefined;
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const isEnding = error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
    // Reported once: each attempt has another pod name and would therefore create another Event.
    if (!isEnding && !refused.has(key)) events.warning(set, 'FailedCreate', `Error creating: ${error.message}`);
    refused.add(key);
    return error;
  }
}

/** The pods that the set controls. First adopts matching pods without a controller, and releases pods that no longer match. */
async function claimPods({ client, replicas }: ReplicaSetContext, set: ReplicaSet): Promise<Pod[]> {
  const claimed: Pod[] = [];
  for (const pod of client.list<Pod>(pods, set.metadata.namespace)) {
    const selected = selects(replicas, set, pod);
    if (isControlledBy(pod, set)) {
      if (selected) claimed.push(pod);
      else await replaceOwners(client, pod, (references) => references.filter(({ uid }) => uid !== set.metadata.uid));
    } else if (
      selected &&
      controllerOf(pod) === undefined &&
      isActive(pod) &&
      set.metadata.deletionTimestamp === undefined
    ) {
      claimed.push(await replaceOwners(client, pod, (references) => [...references, controllerReferenceTo(set)]));
    }
  }
  return claimed;
}

function replaceOwners(
  client: ControllerContext['client'],
  pod: Pod,
  change: (references: readonly OwnerReference[]) => OwnerReference[],
): Promise<Pod> {
  return client.patch<Pod>(pods, pod.metadata.namespace, pod.metadata.name, {
    metadata: {
      uid: pod.metadata.uid,
      resourceVersion: pod.metadata.resourceVersion,
      ownerReferences: change(pod.metadata.ownerReferences ?? []),
    },
  });
}

function podOf(set: ReplicaSet): Pod {
  const template = set.spec?.template;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: '',
      generateName: `${set.metadata.name}-`,
      namespace: set.metadata.namespace ?? '',
      ...(template?.metadata?.labels === undefined ? {} : { labels: { ...template.metadata.labels } }),
      ...(template?.metadata?.annotations === undefined ? {} : { annotations: { ...template.metadata.annotations } }),
      ownerReferences: [controllerReferenceTo(set)],
    },
    ...(template?.spec === undefined ? {} : { spec: template.spec }),
  } as Pod;
}

/** Upstream's order, reduced to the differences that pods can have here: unscheduled, not ready, youngest first. */
function deleteFirst(left: Pod, right: Pod): number {
  return (
    Number(left.spec?.nodeName !== undefined) - Number(right.spec?.nodeName !== undefined) ||
    Number(isReady(left)) - Number(isReady(right)) ||
    (right.metadata.creationTimestamp ?? '').localeCompare(left.metadata.creationTimestamp ?? '')
  );
}

/** Writes the observed status if it changed. Returns the delay until age alone makes another pod available. */
async function writeStatus(
  { client, replicas }: ReplicaSetContext,
  key: string,
  nowMs: number,
  refusal: StatusError | undefined,
): Promise<number | undefined> {
  const { namespace, name } = splitKey(key);
  const set = client.get<ReplicaSet>(replicas.resource, namespace, name);
  if (set === undefined) return undefined;
  const mine = client.list<Pod>(pods, namespace).filter((pod) => isControlledBy(pod, set));
  const active = mine.filter(isActive);
  const templateLabels = Object.entries(set.spec?.template?.metadata?.labels ?? {});
  const waits = active.map((pod) => untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, nowMs));
  const status: ReplicaSetStatus = {
    replicas: active.length,
    fullyLabeledReplicas: active.filter((pod) =>
      templateLabels.every(([label, value]) => pod.metadata.labels?.[label] === value),
    ).length,
    readyReplicas: active.filter(isReady).length,
    availableReplicas: waits.filter((wait) => wait === 0).length,
    ...(replicas.kind === 'ReplicaSet' && {
      terminatingReplicas: mine.filter((pod) => pod.metadata.deletionTimestamp !== undefined).length,
    }),
    ...(set.metadata.generation === undefined ? {} : { observedGeneration: set.metadata.generation }),
  };
  const conditions = withFailure(set.status?.conditions ?? [], refusal, nowMs);
  if (conditions.length > 0) status.conditions = conditions;
  for (const field of ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const) {
    if (status[field] === 0) delete status[field];
  }
  if (!jsonEqual(status, set.status)) await client.updateStatus(replicas.resource, { ...set, status });
  const pending = waits.filter((wait) => wait !== undefined && wait > 0) as number[];
  return pending.length === 0 ? undefined : Math.min(...pending);
}

type ReplicaSetCondition = NonNullable<ReplicaSetStatus['conditions']>[number];

/** Sets or removes the condition that Pods cannot be created. It keeps its first message, as upstream. */
function withFailure(
  conditions: ReplicaSetCondition[],
  refusal: StatusError | undefined,
  nowMs: number,
): ReplicaSetCondition[] {
  const others = conditions.filter(({ type }) => type !== 'ReplicaFailure');
  if (refusal === undefined) return others;
  if (others.length < conditions.length) return conditions;
  const failure = { status: 'True', reason: 'FailedCreate', message: refusal.message } as const;
  return [...others, { type: 'ReplicaFailure', lastTransitionTime: rfc3339(new Date(nowMs)), ...failure }];
}
