import { type Clock, StatusError } from '@evenkeel/core';
import type { PersistentVolumeClaim, Pod, StatefulSet, StatefulSetStatus } from '@evenkeel/kinds';
import { jsonEqual } from '../apimachinery/index.ts';
import { type RevisionsOfSet, revisionsOf, templateOf, truncateHistory } from './controller-revisions.ts';
import type { EventWriter } from './event-writer.ts';
import { isFinished, untilAvailableMs } from './pod-readiness.ts';
import type { ServerClient } from './server-client.ts';
import {
  claimOwners,
  claimsOf,
  firstOrdinal,
  identityLabels,
  isAvailable,
  isHealthy,
  isInRange,
  isRunningAndReady,
  isTerminating,
  ordinalOf,
  podOf,
  type Replica,
  revisionOf,
} from './stateful-set-pod.ts';

const sets = { group: 'apps', plural: 'statefulsets' };
const pods = { group: '', plural: 'pods' };
const claims = { group: '', plural: 'persistentvolumeclaims' };

interface Sight {
  readonly set: StatefulSet;
  readonly revisions: RevisionsOfSet;
  /** Sorted by ordinal. */
  readonly replicas: readonly Replica[];
  /** Pods beyond the range, the highest ordinal first. */
  readonly condemned: readonly Pod[];
  /** Whether each pod must be ready before the next one is changed. */
  readonly isOrdered: boolean;
}

/** Syncs one StatefulSet. Source: `pkg/controller/statefulset/stateful_set_control.go`. */
export class StatefulSetSync {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #events: EventWriter;
  /** The keys of Pods whose last attempt to create them was rejected. */
  readonly #refused = new Set<string>();

  constructor(client: ServerClient, clock: Clock, events: EventWriter) {
    this.#client = client;
    this.#clock = clock;
    this.#events = events;
  }

  /** Resolves to the delay of the next sync if nothing changes before. Rejects if a write fails; the caller must retry. */
  async run(set: StatefulSet, mine: readonly Pod[]): Promise<number | undefined> {
    const revisions = await revisionsOf(this.#client, set);
    const sight = look(set, mine, revisions);
    let failure: unknown;
    try {
      if (set.metadata.deletionTimestamp === undefined) await this.#act(sight);
    } catch (error) {
      failure = error;
    }
    await this.#writeStatus(set, revisions);
    if (failure !== undefined) throw failure;
    await truncateHistory(this.#client, set, revisions, new Set(mine.map(revisionOf)));
    const waits = mine
      .filter(isRunningAndReady)
      .map((pod) => untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, this.#clock.now()) ?? 0)
      .filter((waitMs) => waitMs > 0);
    return waits.length === 0 ? undefined : Math.min(...waits);
  }

  /** First creates missing pods, then deletes surplus pods, then updates pods of an old revision. */
  async #act(sight: Sight): Promise<void> {
    const { set, replicas, condemned, isOrdered } = sight;
    let refusal: StatusError | undefined;
    for (const [index, replica] of replicas.entries()) {
      try {
        const mustWait = await this.#keep(sight, replica, firstOrdinal(set) + index);
        if (mustWait && isOrdered) return;
      } catch (error) {
        // A rejected Pod does not keep the others from being created, unless they must wait for it.
        if (isOrdered || !(error instanceof StatusError)) throw error;
        refusal ??= error;
      }
    }
    if (refusal !== undefined) throw refusal;
    for (const pod of condemned) await this.#ownClaims(set, pod, ordinalOf(set, pod) ?? 0);
    const unhealthy = [...replicas.map(({ pod }) => pod), ...condemned.toReversed()].find((pod) => !isHealthy(pod));
    for (const pod of condemned) {
      if (isTerminating(pod)) {
        if (isOrdered) return;
        continue;
      }
      const isReadyToGo = isAvailable(set, pod, this.#clock.now()) || pod === unhealthy;
      if (isOrdered && !isReadyToGo) return;
      await this.#delete(set, pod);
      if (isOrdered) return;
    }
    await this.#update(sight);
  }

  /** Syncs the pod of one ordinal. Returns true if the later ordinals must wait. */
  async #keep({ set, isOrdered }: Sight, { pod, exists }: Replica, ordinal: number): Promise<boolean> {
    if (exists && isFinished(pod)) {
      if (!isTerminating(pod)) await this.#delete(set, pod);
      return true;
    }
    if (!exists) {
      if (this.#hasStaleClaim(set, pod, ordinal)) return true;
      await this.#create(set, pod, ordinal);
      return true;
    }
    if (pod.status?.phase === 'Pending') await this.#createClaims(set, pod, ordinal);
    if (isOrdered && (isTerminating(pod) || !isAvailable(set, pod, this.#clock.now()))) return true;
    const labels = identityLabels(pod.metadata.name, ordinal);
    if (Object.entries(labels).some(([label, value]) => pod.metadata.labels?.[label] !== value)) {
      const { namespace, name, uid } = pod.metadata;
      await this.#client.patch(pods, namespace, name, { metadata: { uid, labels } });
      this.#report(set, 'SuccessfulUpdate', `Update Pod ${name} in StatefulSet ${set.metadata.name} successful`);
    }
    await this.#ownClaims(set, pod, ordinal);
    return false;
  }

  /** Deletes the last pod of an old revision, as soon as all pods after it are updated and healthy. */
  async #update({ set, replicas, revisions }: Sight): Promise<void> {
    const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
    if (type === 'OnDelete') return;
    for (let index = replicas.length - 1; index >= (rollingUpdate?.partition ?? 0); index--) {
      const replica = replicas[index];
      if (replica === undefined) continue;
      const isOld = revisionOf(replica.pod) !== revisions.update.metadata.name;
      if (isOld && replica.exists && !isTerminating(replica.pod)) {
        await this.#delete(set, replica.pod);
        return;
      }
      if (!isHealthy(replica.pod)) return;
    }
  }

  async #create(set: StatefulSet, pod: Pod, ordinal: number): Promise<void> {
    await this.#createClaims(set, pod, ordinal);
    const { namespace, name } = pod.metadata;
    try {
      await this.#client.create<Pod>(pods, pod);
    } catch (error) {
      this.#reportRefusal(set, pod, error as Error);
      throw error;
    }
    this.#refused.delete(`${namespace}/${name}`);
    this.#report(set, 'SuccessfulCreate', `Create Pod ${name} in StatefulSet ${set.metadata.name} successful`);
  }

  /** Forgets the rejected Pods of a set that no longer exists. */
  forget(setKey: string): void {
    for (const key of this.#refused) if (key.startsWith(`${setKey}-`)) this.#refused.delete(key);
  }

  /** Reports a rejected Pod once: every attempt would create another Event, which upstream combines. */
  #reportRefusal(set: StatefulSet, { metadata: { namespace, name } }: Pod, { message }: Error): void {
    const key = `${namespace}/${name}`;
    if (this.#refused.has(key)) return;
    this.#refused.add(key);
    const what = `Create Pod ${name} in StatefulSet ${set.metadata.name} failed error: ${message}`;
    this.#events.warning(set, 'FailedCreate', what);
  }

  async #delete(set: StatefulSet, { metadata }: Pod): Promise<void> {
    const { namespace, name, uid } = metadata;
    await this.#client.delete(pods, namespace, name, uid === undefined ? {} : { preconditions: { uid } });
    this.#report(set, 'SuccessfulDelete', `Delete Pod ${name} in StatefulSet ${set.metadata.name} successful`);
  }

  #report(set: StatefulSet, reason: string, message: string): void {
    this.#events.normal(set, reason, message);
  }

  async #createClaims(set: StatefulSet, pod: Pod, ordinal: number): Promise<void> {
    for (const { claim } of claimsOf(set, ordinal)) {
      const { namespace, name } = claim.metadata;
      const existing = this.#client.get<PersistentVolumeClaim>(claims, namespace, name);
      if (existing?.metadata.deletionTimestamp !== undefined) throw new Error(`pvc ${name} is being deleted`);
      if (existing !== undefined) continue;
      await this.#client.create(claims, claim);
      const message = `Create Claim ${name} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name} success`;
      this.#report(set, 'SuccessfulCreate', message);
    }
  }

  /** Whether a claim is about to be deleted together with a former pod of the same name. */
  #hasStaleClaim(set: StatefulSet, pod: Pod, ordinal: number): boolean {
    return claimsOf(set, ordinal).some(({ claim }) => {
      const { namespace, name } = claim.metadata;
      const owners = this.#client.get<PersistentVolumeClaim>(claims, namespace, name)?.metadata.ownerReferences ?? [];
      return owners.some((owner) => owner.kind === 'Pod' && owner.name === pod.metadata.name);
    });
  }

  async #ownClaims(set: StatefulSet, pod: Pod, ordinal: number): Promise<void> {
    for (const { claim } of claimsOf(set, ordinal)) {
      const { namespace, name } = claim.metadata;
      const existing = this.#client.get<PersistentVolumeClaim>(claims, namespace, name);
      if (existing === undefined) continue;
      const before = existing.metadata.ownerReferences ?? [];
      const ownerReferences = claimOwners(set, pod, ordinal, before);
      if (jsonEqual(ownerReferences, before)) continue;
      const { uid } = existing.metadata;
      await this.#client.patch(claims, namespace, name, { metadata: { uid, ownerReferences } });
    }
  }

  async #writeStatus(stored: StatefulSet, { current, update, collisionCount }: RevisionsOfSet): Promise<void> {
    const set = this.#client.get<StatefulSet>(sets, stored.metadata.namespace, stored.metadata.name);
    if (set === undefined || set.metadata.uid !== stored.metadata.uid) return;
    const mine = this.#client
      .list<Pod>(pods, set.metadata.namespace)
      .filter((pod) => isOwn(set, pod) && ordinalOf(set, pod) !== undefined);
    const staying = mine.filter((pod) => !isTerminating(pod));
    const at = (name: string): number => staying.filter((pod) => revisionOf(pod) === name).length;
    const counts = {
      replicas: mine.length,
      readyReplicas: mine.filter(isRunningAndReady).length,
      availableReplicas: mine.filter((pod) => isAvailable(set, pod, this.#clock.now())).length,
      currentReplicas: at(current.metadata.name),
      updatedReplicas: at(update.metadata.name),
    };
    let currentRevision = current.metadata.name;
    const wanted = stored.spec?.replicas ?? 1;
    const isRolling = stored.spec?.updateStrategy?.type === 'RollingUpdate';
    if (
      isRolling &&
      [counts.updatedReplicas, counts.replicas, counts.readyReplicas].every((count) => count === wanted)
    ) {
      currentRevision = update.metadata.name;
      counts.currentReplicas = counts.updatedReplicas;
    }
    const status: StatefulSetStatus = {
      ...(stored.metadata.generation === undefined ? {} : { observedGeneration: stored.metadata.generation }),
      ...counts,
      currentRevision,
      updateRevision: update.metadata.name,
      collisionCount,
      ...(set.status?.conditions === undefined ? {} : { conditions: set.status.conditions }),
    };
    for (const field of ['readyReplicas', 'currentReplicas', 'updatedReplicas'] as const) {
      if (status[field] === 0) delete status[field];
    }
    if (!jsonEqual(status, set.status)) await this.#client.updateStatus(sets, { ...set, status });
  }
}

function isOwn(set: StatefulSet, { metadata }: Pod): boolean {
  return metadata.ownerReferences?.some(({ uid, controller }) => uid === set.metadata.uid && controller) === true;
}

function look(set: StatefulSet, mine: readonly Pod[], revisions: RevisionsOfSet): Sight {
  const byOrdinal = new Map(mine.map((pod) => [ordinalOf(set, pod) ?? 0, pod]));
  const replicas: Replica[] = [];
  for (let index = 0; index < (set.spec?.replicas ?? 1); index++) {
    const ordinal = firstOrdinal(set) + index;
    const pod = byOrdinal.get(ordinal);
    replicas.push(pod === undefined ? { pod: missing(set, revisions, ordinal), exists: false } : { pod, exists: true });
  }
  const condemned = [...byOrdinal]
    .filter(([ordinal]) => !isInRange(set, ordinal))
    .sort(([left], [right]) => right - left)
    .map(([, pod]) => pod);
  return { set, revisions, replicas, condemned, isOrdered: set.spec?.podManagementPolicy !== 'Parallel' };
}

/** A new pod. Below the partition of a rolling update it has the old revision. Source: `newVersionedStatefulSetPod`. */
function missing(set: StatefulSet, { current, update }: RevisionsOfSet, ordinal: number): Pod {
  const { type, rollingUpdate } = set.spec?.updateStrategy ?? {};
  const kept = rollingUpdate === undefined ? (set.status?.currentReplicas ?? 0) : (rollingUpdate.partition ?? 0);
  const revision = type === 'RollingUpdate' && ordinal < firstOrdinal(set) + kept ? current : update;
  return podOf(set, templateOf(revision), revision.metadata.name, ordinal);
}
