import { rfc3339 } from '@evenkeel/core';
import type { Pod, PodDisruptionBudget } from '@evenkeel/kinds';
import { controllerOf } from '../controller-reference.ts';
import { scaledValue } from '../int-or-percent.ts';
import { isReady } from '../pod-readiness.ts';
import type { ServerClient } from '../server-client.ts';
import { scaleBehind } from './controlled-scale.ts';

/** How long the deletion of an evicted pod may take before the pod counts again (`DeletionTimeout`). */
const deletionTimeoutMs = 120_000;

type PodDisruptionBudgetStatus = NonNullable<PodDisruptionBudget['status']>;
type Condition = NonNullable<PodDisruptionBudgetStatus['conditions']>[number];

/** The number of pods that a budget expects, and how many of them must stay healthy. */
export interface Expectation {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
  /** Whether there are pods without a controller, which a percentage cannot count. */
  readonly hasUnmanaged: boolean;
}

/** Throws an error if the scale behind a pod is unknown. Source: `getExpectedPodCount`. */
export function expectationOf(client: ServerClient, { spec }: PodDisruptionBudget, pods: readonly Pod[]): Expectation {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    const expectedPods = minAvailable === undefined ? 0 : pods.length;
    return { expectedPods, desiredHealthy: minAvailable ?? 0, hasUnmanaged: false };
  }
  const scales = new Map<string, number>();
  let hasUnmanaged = false;
  for (const pod of pods) {
    const reference = controllerOf(pod);
    if (reference === undefined) hasUnmanaged = true;
    if (reference === undefined || scales.has(reference.uid)) continue;
    const scale = scaleBehind(client, reference, pod.metadata.namespace);
    if (scale === undefined) throw new Error(`found no controllers for pod ${JSON.stringify(pod.metadata.name)}`);
    scales.set(scale.uid, scale.replicas);
  }
  const expectedPods = [...scales.values()].reduce((sum, replicas) => sum + replicas, 0);
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - scaledValue(maxUnavailable, expectedPods, Math.ceil));
  return { expectedPods, desiredHealthy, hasUnmanaged };
}

/** The evicted pods that are still to be deleted. */
export interface DisruptedPods {
  readonly pods: Readonly<Record<string, string>>;
  /** The pods whose deletion took too long. */
  readonly overdue: readonly Pod[];
  /** The delay until the next pod is overdue. */
  readonly againMs: number | undefined;
}

/** Source: `buildDisruptedPodMap`. */
export function disruptedPodsOf({ status }: PodDisruptionBudget, pods: readonly Pod[], nowMs: number): DisruptedPods {
  const disrupted: Record<string, string> = {};
  const overdue: Pod[] = [];
  let againMs: number | undefined;
  for (const pod of pods) {
    const since = status?.disruptedPods?.[pod.metadata.name];
    if (since === undefined || pod.metadata.deletionTimestamp !== undefined) continue;
    const leftMs = Date.parse(since) + deletionTimeoutMs - nowMs;
    if (leftMs < 0) overdue.push(pod);
    else {
      disrupted[pod.metadata.name] = since;
      // Upstream, too, finds a pod overdue only after the timeout.
      againMs = Math.min(againMs ?? Number.POSITIVE_INFINITY, leftMs + 1);
    }
  }
  return { pods: disrupted, overdue, againMs };
}

/** Source: `updatePdbStatus`. */
export function budgetStatus(
  { metadata, status }: PodDisruptionBudget,
  pods: readonly Pod[],
  { expectedPods, desiredHealthy }: Expectation,
  disrupted: DisruptedPods,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const currentHealthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp === undefined && disrupted.pods[pod.metadata.name] === undefined && isReady(pod),
  ).length;
  // None before the first pod appears, so that a new pod is never evicted before it is counted.
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const observedGeneration = metadata.generation ?? 0;
  const isAllowed = disruptionsAllowed > 0;
  const condition = {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration,
  } as const;
  return {
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptionsAllowed,
    ...(Object.keys(disrupted.pods).length === 0 ? {} : { disruptedPods: { ...disrupted.pods } }),
    observedGeneration,
    conditions: withCondition(status?.conditions, condition, nowMs),
  };
}

/** The status of a budget that cannot be calculated: no disruption is allowed. Source: `failSafe`. */
export function failedStatus(
  { status }: PodDisruptionBudget,
  message: string,
  nowMs: number,
): PodDisruptionBudgetStatus {
  const condition = {
    type: 'DisruptionAllowed',
    status: 'False',
    reason: 'SyncFailed',
    message,
    ...(status?.observedGeneration === undefined ? {} : { observedGeneration: status.observedGeneration }),
  } as const;
  return {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
    conditions: withCondition(status?.conditions, condition, nowMs),
  };
}

/** Source: `SetStatusCondition`, `apimachinery/pkg/api/meta/conditions.go`. */
function withCondition(
  conditions: readonly Condition[] = [],
  condition: Omit<Condition, 'lastTransitionTime'>,
  nowMs: number,
): Condition[] {
  const old = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = old?.status === condition.status ? old.lastTransitionTime : rfc3339(new Date(nowMs));
  const changed = { ...condition, lastTransitionTime };
  return old === undefined ? [...conditions, changed] : conditions.map((one) => (one === old ? changed : one));
}
