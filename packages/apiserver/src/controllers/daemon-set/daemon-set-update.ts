import type { DaemonSet, Node, Pod } from '@evenkeel/kinds';
import { scaledValue } from '../int-or-percent.ts';
import { untilAvailableMs } from '../pod-readiness.ts';
import { isUpdated, useOfNode } from './daemon-set-pod.ts';

/** The pods of each node, by the name of the node. */
export type PodsByNode = ReadonlyMap<string, readonly Pod[]>;

/** What a sync does: it creates a pod on each of the nodes, and deletes the pods. */
export interface DaemonSetStep {
  readonly nodes: readonly string[];
  readonly surplus: readonly Pod[];
}

/** Whether an update may have a second pod on a node. */
export function mayUseSurge(set: DaemonSet): boolean {
  return surgeOf(set, 1) > 0;
}

function surgeOf(set: DaemonSet, desired: number): number {
  return scaledValue(set.spec?.updateStrategy?.rollingUpdate?.maxSurge ?? 0, desired, Math.ceil);
}

export function isAvailable(set: DaemonSet, pod: Pod, nowMs: number): boolean {
  return untilAvailableMs(pod, set.spec?.minReadySeconds ?? 0, nowMs) === 0;
}

/** The next step of a rolling update. Source: `rollingUpdate`, `pkg/controller/daemon/update.go`. */
export function rollingStep(
  set: DaemonSet,
  nodes: readonly Node[],
  pods: PodsByNode,
  hash: string,
  nowMs: number,
): DaemonSetStep {
  const usable = new Set(nodes.filter((node) => useOfNode(set, node).shouldRun).map(({ metadata }) => metadata.name));
  const states = [...new Set([...pods.keys(), ...usable])].map((node) =>
    stateOf(set, node, pods.get(node) ?? [], hash),
  );
  const maxSurge = surgeOf(set, usable.size);
  const isFree = (pod: Pod): boolean => isAvailable(set, pod, nowMs);
  if (maxSurge > 0) return surge(states, usable, maxSurge, isFree);
  const { maxUnavailable } = set.spec?.updateStrategy?.rollingUpdate ?? {};
  // At least one, or the update could not progress.
  return {
    nodes: [],
    surplus: replace(states, Math.max(1, scaledValue(maxUnavailable, usable.size, Math.ceil)), isFree),
  };
}

/** The pods of one node that are not being deleted. */
interface NodeState {
  readonly node: string;
  readonly updated: Pod | undefined;
  readonly old: Pod | undefined;
  /** False if there are several updated or several old pods. The next sync deletes the surplus ones. */
  readonly isClear: boolean;
}

function stateOf(set: DaemonSet, node: string, all: readonly Pod[], hash: string): NodeState {
  const pods = all.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const [updated, ...moreUpdated] = pods.filter((pod) => isUpdated(set, pod, hash));
  const [old, ...moreOld] = pods.filter((pod) => !isUpdated(set, pod, hash));
  return { node, updated, old, isClear: moreUpdated.length + moreOld.length === 0 };
}

/** Returns the old pods to delete, so that at most `maxUnavailable` nodes have no available pod. */
function replace(states: readonly NodeState[], maxUnavailable: number, isFree: (pod: Pod) => boolean): Pod[] {
  let unavailable = 0;
  const broken: Pod[] = [];
  const candidates: Pod[] = [];
  for (const { updated, old, isClear } of states) {
    if (!isClear || (old === undefined) === (updated === undefined)) unavailable++;
    else if (updated !== undefined) unavailable += isFree(updated) ? 0 : 1;
    else if (old !== undefined && !isFree(old)) {
      broken.push(old);
      unavailable++;
    } else if (old !== undefined && unavailable < maxUnavailable) candidates.push(old);
  }
  return [...broken, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

/** Creates updated pods beside old ones, on at most `maxSurge` nodes, and deletes old pods beside available updated ones. */
function surge(
  states: readonly NodeState[],
  usable: ReadonlySet<string>,
  maxSurge: number,
  isFree: (pod: Pod) => boolean,
): DaemonSetStep {
  const surplus: Pod[] = [];
  const leaving: Pod[] = [];
  const urgent: string[] = [];
  const candidates: string[] = [];
  let surging = 0;
  let available = 0;
  for (const { node, updated, old, isClear } of states) {
    if (!isClear) {
      surging++;
      continue;
    }
    const first = old ?? updated;
    if (first !== undefined && isFree(first)) available++;
    if (old === undefined) continue;
    if (updated !== undefined) {
      if (isFree(updated)) surplus.push(old);
      else surging++;
    } else if (!isFree(old)) {
      if (usable.has(node)) urgent.push(node);
      else surplus.push(old);
    } else if (!usable.has(node)) leaving.push(old);
    else if (surging < maxSurge) candidates.push(node);
  }
  // Pods of nodes that are no longer selected stay until enough others are available.
  surplus.push(...leaving.slice(0, Math.max(0, available - usable.size)));
  return { nodes: [...urgent, ...candidates.slice(0, Math.max(0, maxSurge - surging))], surplus };
}
