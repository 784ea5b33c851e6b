import { type Clock, StatusError } from '@evenkeel/core';
import type { DaemonSet, DaemonSetStatus, Node, Pod } from '@evenkeel/kinds';
import { jsonEqual } from '../../apimachinery/index.ts';
import { isControlledBy, keyOf } from '../controller-reference.ts';
import type { EventWriter } from '../event-writer.ts';
import { isFinished, isReady, untilAvailableMs } from '../pod-readiness.ts';
import type { ServerClient } from '../server-client.ts';
import { byAge, isUpdated, nodeOf, podOf, useOfNode } from './daemon-set-pod.ts';
import { type DaemonSetRevisions, revisionsOf, truncateHistory } from './daemon-set-revisions.ts';
import { type DaemonSetStep, isAvailable, mayUseSurge, type PodsByNode, rollingStep } from './daemon-set-update.ts';
import { FailedPods } from './failed-pods.ts';

const sets = { group: 'apps', plural: 'daemonsets' };
const pods = { group: '', plural: 'pods' };

/** The most pods that upstream creates or deletes in one sync (`BurstReplicas`). */
const burstReplicas = 250;

interface Sight {
  readonly set: DaemonSet;
  readonly nodes: readonly Node[];
  readonly hash: string;
  /** The delay until the next sync. */
  againMs: number | undefined;
}

/** Syncs one DaemonSet. Source: `syncDaemonSet` and what it calls, `pkg/controller/daemon/daemon_controller.go`. */
export class DaemonSetSync {
  readonly #client: ServerClient;
  readonly #clock: Clock;
  readonly #events: EventWriter;
  readonly #failed: FailedPods;
  /** The keys of the sets whose last pod the server rejected. */
  readonly #refused = new Set<string>();

  constructor(client: ServerClient, clock: Clock, events: EventWriter) {
    this.#client = client;
    this.#clock = clock;
    this.#events = events;
    this.#failed = new FailedPods(clock);
  }

  /** Drops the state kept for a deleted DaemonSet. */
  forget(set: DaemonSet): void {
    this.#refused.delete(keyOf(set));
    this.#failed.forget(set.metadata.uid ?? '');
  }

  /** Resolves to the delay of the next sync if nothing changes before. Rejects if a write fails; the caller must retry. */
  async run(set: DaemonSet, nodes: readonly Node[], mine: readonly Pod[]): Promise<number | undefined> {
    const revisions = await revisionsOf(this.#client, set, mine);
    const sight: Sight = { set, nodes, hash: revisions.hash, againMs: undefined };
    let failure: unknown;
    try {
      await this.#act(sight, revisions);
    } catch (error) {
      failure = error;
    }
    await this.#writeStatus(sight);
    if (failure !== undefined) throw failure;
    return sight.againMs;
  }

  async #act(sight: Sight, revisions: DaemonSetRevisions): Promise<void> {
    const { set, nodes, hash } = sight;
    await this.#take(sight, this.#missingAndSurplus(sight, this.#podsByNode(set)));
    if (set.spec?.updateStrategy?.type === 'RollingUpdate') {
      await this.#take(sight, rollingStep(set, nodes, this.#podsByNode(set), hash, this.#clock.now()));
    }
    await truncateHistory(this.#client, set, revisions, this.#podsOf(set));
  }

  #podsOf(set: DaemonSet): Pod[] {
    return this.#client.list<Pod>(pods, set.metadata.namespace).filter((pod) => isControlledBy(pod, set));
  }

  /** The pods of each node, without those that have ended and only wait for their deletion. */
  #podsByNode(set: DaemonSet): PodsByNode {
    const byNode = new Map<string, Pod[]>();
    for (const pod of this.#podsOf(set)) {
      const node = nodeOf(pod);
      if (node === undefined || (isFinished(pod) && pod.metadata.deletionTimestamp !== undefined)) continue;
      const others = byNode.get(node);
      if (others === undefined) byNode.set(node, [pod]);
      else others.push(pod);
    }
    for (const each of byNode.values()) each.sort(byAge);
    return byNode;
  }

  /** Source: `manage` and `podsShouldBeOnNode`. */
  #missingAndSurplus(sight: Sight, byNode: PodsByNode): DaemonSetStep {
    const missing: string[] = [];
    const surplus: Pod[] = [];
    for (const node of sight.nodes) {
      const { shouldRun, mayContinue } = useOfNode(sight.set, node);
      const { name } = node.metadata;
      const existing = byNode.get(name);
      if (existing === undefined) {
        if (shouldRun) missing.push(name);
      } else if (!mayContinue) {
        surplus.push(...existing.filter(({ metadata }) => metadata.deletionTimestamp === undefined));
      } else {
        const { ended, running } = this.#endedAndRunning(sight, name, existing);
        surplus.push(...ended, ...this.#surplusOf(sight, running));
        if (running.length === 0 && shouldRun && mayUseSurge(sight.set)) missing.push(name);
      }
    }
    // The scheduler never binds these, so nothing else would delete them.
    const known = new Set(sight.nodes.map(({ metadata }) => metadata.name));
    for (const [node, lost] of byNode) {
      if (!known.has(node)) surplus.push(...lost.filter((pod) => (pod.spec?.nodeName ?? '') === ''));
    }
    return { nodes: missing, surplus };
  }

  #endedAndRunning(sight: Sight, node: string, existing: readonly Pod[]): { ended: Pod[]; running: Pod[] } {
    const ended: Pod[] = [];
    const running: Pod[] = [];
    for (const pod of existing) {
      if (pod.metadata.deletionTimestamp !== undefined) continue;
      if (!isFinished(pod)) {
        running.push(pod);
        continue;
      }
      const failed = pod.status?.phase === 'Failed';
      const waitMs = failed ? this.#failed.waitMs(sight.set, node) : 0;
      if (waitMs > 0) {
        lookAgain(sight, waitMs);
        continue;
      }
      const what = `Found ${failed ? 'failed' : 'succeeded'} daemon pod ${keyOf(pod)} on node ${node}, will try to`;
      if (failed) this.#events.warning(sight.set, 'FailedDaemonPod', `${what} kill it`);
      else this.#events.normal(sight.set, 'SucceededDaemonPod', `${what} delete it`);
      ended.push(pod);
    }
    return { ended, running };
  }

  /** The pods of one node that are too many, given from the oldest to the youngest. */
  #surplusOf({ set, hash }: Sight, running: readonly Pod[]): Pod[] {
    if (running.length <= 1) return [];
    if (!mayUseSurge(set)) return running.slice(1);
    const updated = running.filter((pod) => isUpdatedTo(pod, hash));
    const old = running.filter((pod) => !isUpdatedTo(pod, hash));
    const surplus = [...updated.slice(1), ...old.slice(1)];
    const [newPod] = updated;
    const [oldPod] = old;
    if (newPod === undefined || oldPod === undefined) return surplus;
    return !isReady(oldPod) || isAvailable(set, newPod, this.#clock.now()) ? [...surplus, oldPod] : surplus;
  }

  /** Source: `syncNodes`. */
  async #take({ set, hash }: Sight, { nodes, surplus }: DaemonSetStep): Promise<void> {
    let refusal: unknown;
    for (const node of nodes.slice(0, burstReplicas)) {
      refusal = await this.#create(set, node, hash);
      if (refusal !== undefined) break;
    }
    for (const { metadata } of surplus.slice(0, burstReplicas)) {
      await this.#client.delete(pods, metadata.namespace, metadata.name);
      this.#events.normal(set, 'SuccessfulDelete', `Deleted pod: ${metadata.name}`);
    }
    if (refusal !== undefined) throw refusal;
  }

  /** Returns the error with which the server rejected the pod. */
  async #create(set: DaemonSet, node: string, hash: string): Promise<StatusError | undefined> {
    try {
      const pod = await this.#client.create<Pod>(pods, podOf(set, node, hash));
      this.#refused.delete(keyOf(set));
      this.#events.normal(set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`);
      return undefined;
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const isEnding = error.status.details?.causes?.some(({ reason }) => reason === 'NamespaceTerminating') === true;
      // Reported once: each attempt has another pod name and would therefore create another Event.
      if (!isEnding && !this.#refused.has(keyOf(set))) {
        this.#events.warning(set, 'FailedCreate', `Error creating: ${error.message}`);
      }
      this.#refused.add(keyOf(set));
      return error;
    }
  }

  /** Source: `updateDaemonSetStatus`. */
  async #writeStatus(sight: Sight): Promise<void> {
    const { set: synced, nodes, hash } = sight;
    const set = this.#client.get<DaemonSet>(sets, synced.metadata.namespace, synced.metadata.name);
    if (set === undefined || set.metadata.uid !== synced.metadata.uid) return;
    const byNode = this.#podsByNode(synced);
    const isWanted = new Map(nodes.map((node) => [node.metadata.name, useOfNode(synced, node).shouldRun]));
    const first = [...isWanted].flatMap(([node, shouldRun]) => {
      const pod = byNode.get(node)?.[0];
      return pod === undefined ? [] : [{ pod, shouldRun }];
    });
    const running = first.filter(({ shouldRun }) => shouldRun).map(({ pod }) => pod);
    const desired = [...isWanted.values()].filter((shouldRun) => shouldRun).length;
    const available = running.filter((pod) => isAvailable(synced, pod, this.#clock.now())).length;
    for (const pod of running) {
      const waitMs = untilAvailableMs(pod, synced.spec?.minReadySeconds ?? 0, this.#clock.now()) ?? 0;
      if (waitMs > 0) lookAgain(sight, waitMs);
    }
    const status: DaemonSetStatus = {
      ...set.status,
      currentNumberScheduled: running.length,
      numberMisscheduled: first.length - running.length,
      desiredNumberScheduled: desired,
      numberReady: running.filter(isReady).length,
      ...(synced.metadata.generation === undefined ? {} : { observedGeneration: synced.metadata.generation }),
      updatedNumberScheduled: running.filter((pod) => isUpdated(synced, pod, hash)).length,
      numberAvailable: available,
      numberUnavailable: desired - available,
    };
    for (const field of ['updatedNumberScheduled', 'numberAvailable', 'numberUnavailable'] as const) {
      if (status[field] === 0) delete status[field];
    }
    if (!jsonEqual(status, set.status)) await this.#client.updateStatus(sets, { ...set, status });
  }
}

function isUpdatedTo({ metadata }: Pod, hash: string): boolean {
  return metadata.labels?.['controller-revision-hash'] === hash;
}

function lookAgain(sight: Sight, waitMs: number): void {
  sight.againMs = Math.min(sight.againMs ?? Number.POSITIVE_INFINITY, waitMs);
}
