import { rfc3339 } from '@evenkeel/core';
import type { Deployment, DeploymentStatus, ReplicaSet } from '@evenkeel/kinds';
import { replicasOf, rolloutBounds } from './deployment-scaling.ts';

type DeploymentCondition = NonNullable<DeploymentStatus['conditions']>[number];

export interface ObservedDeployment {
  readonly status: DeploymentStatus;
  /** The delay after which missing progress counts as a failure; undefined when the rollout is complete. */
  readonly progressDeadlineMs?: number;
}

/** The status that upstream's deployment controller would write (`sync.go`, `progress.go`). */
export function deploymentStatus(
  deployment: Deployment,
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
  nowMs: number,
): ObservedDeployment {
  const desired = deployment.spec?.replicas ?? 1;
  const count = (field: 'replicas' | 'readyReplicas' | 'availableReplicas' | 'terminatingReplicas'): number =>
    sets.reduce((sum, set) => sum + (set.status?.[field] ?? 0), 0);
  const available = count('availableReplicas');
  const wantedInSets = sets.reduce((sum, set) => sum + replicasOf(set), 0);
  const counts = {
    replicas: count('replicas'),
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: count('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, wantedInSets - available),
  };
  const status: DeploymentStatus = {
    ...(deployment.metadata.generation === undefined ? {} : { observedGeneration: deployment.metadata.generation }),
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
    terminatingReplicas: count('terminatingReplicas'),
    ...(deployment.status?.collisionCount === undefined ? {} : { collisionCount: deployment.status.collisionCount }),
  };
  const now = rfc3339(new Date(nowMs));
  const conditions = [...(deployment.status?.conditions ?? [])];
  const isAvailable = available >= desired - rolloutBounds(deployment).maxUnavailable;
  put(conditions, now, {
    type: 'Available',
    status: isAvailable ? 'True' : 'False',
    reason: isAvailable ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable',
    message: isAvailable ? 'Deployment has minimum availability.' : 'Deployment does not have minimum availability.',
  });
  const progress = progressOf(deployment, newSet, counts, conditions, nowMs);
  if (progress.condition !== undefined) put(conditions, now, progress.condition, progress.progressed);
  status.conditions = withReplicaFailure(conditions, sets, newSet);
  return progress.deadlineMs === undefined ? { status } : { status, progressDeadlineMs: progress.deadlineMs };
}

/** Adds the failure of the new ReplicaSet to create Pods, or else of an old one (`getReplicaFailures`). */
function withReplicaFailure(
  conditions: DeploymentCondition[],
  sets: readonly ReplicaSet[],
  newSet: ReplicaSet | undefined,
): DeploymentCondition[] {
  const failures = [...(newSet === undefined ? [] : [newSet]), ...sets].flatMap(
    (set) => set.status?.conditions?.find(({ type }) => type === 'ReplicaFailure') ?? [],
  );
  const [failure] = failures;
  const others = conditions.filter(({ type }) => type !== 'ReplicaFailure');
  if (failure === undefined) return others;
  const isKnown = conditions.some(
    ({ type, status, reason }) => type === failure.type && status === failure.status && reason === failure.reason,
  );
  if (isKnown) return conditions;
  const { lastTransitionTime } = failure;
  return [...others, { ...failure, ...(lastTransitionTime && { lastUpdateTime: lastTransitionTime }) }];
}

type Finding = Pick<DeploymentCondition, 'type' | 'status' | 'reason' | 'message'>;

/** Sets a condition: `lastUpdateTime` changes with any member (or if `refresh`), `lastTransitionTime` only with the status. */
function put(conditions: DeploymentCondition[], now: string, finding: Finding, refresh = false): void {
  const index = conditions.findIndex(({ type }) => type === finding.type);
  const old = conditions[index];
  if (old !== undefined && !refresh && old.status === finding.status && old.reason === finding.reason) return;
  const condition: DeploymentCondition = {
    ...finding,
    lastUpdateTime: now,
    lastTransitionTime: old?.status === finding.status ? (old.lastTransitionTime ?? now) : now,
  };
  // A changed condition moves to the end of the list, as in upstream.
  if (index >= 0) conditions.splice(index, 1);
  conditions.push(condition);
}

interface Progress {
  readonly condition?: Finding;
  /** Whether the rollout progressed, which restarts the deadline. */
  readonly progressed?: boolean;
  readonly deadlineMs?: number;
}

function progressOf(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  counts: { replicas: number; updatedReplicas: number; readyReplicas: number; availableReplicas: number },
  conditions: readonly DeploymentCondition[],
  nowMs: number,
): Progress {
  const desired = deployment.spec?.replicas ?? 1;
  const current = conditions.find(({ type }) => type === 'Progressing');
  const subject =
    newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
  const says = (status: 'True' | 'False' | 'Unknown', reason: string, message: string): Finding => ({
    type: 'Progressing',
    status,
    reason,
    message,
  });
  if (deployment.spec?.paused === true) {
    return current?.reason === 'DeploymentPaused'
      ? {}
      : { condition: says('Unknown', 'DeploymentPaused', 'Deployment is paused') };
  }
  if (current?.reason === 'DeploymentPaused') {
    return { condition: says('Unknown', 'DeploymentResumed', 'Deployment is resumed') };
  }
  // After a complete rollout, scaling does not start another one.
  if (current?.reason === 'NewReplicaSetAvailable' && counts.replicas === counts.updatedReplicas) return {};
  const complete =
    counts.updatedReplicas === desired &&
    counts.replicas === desired &&
    counts.availableReplicas === desired &&
    newSet !== undefined;
  if (complete) {
    return { condition: says('True', 'NewReplicaSetAvailable', `${subject} has successfully progressed.`) };
  }
  const before = deployment.status ?? {};
  const progressed =
    counts.updatedReplicas > (before.updatedReplicas ?? 0) ||
    counts.replicas - counts.updatedReplicas < (before.replicas ?? 0) - (before.updatedReplicas ?? 0) ||
    counts.readyReplicas > (before.readyReplicas ?? 0) ||
    counts.availableReplicas > (before.availableReplicas ?? 0);
  const deadlineMs = (deployment.spec?.progressDeadlineSeconds ?? 600) * 1000;
  if (current === undefined) {
    return {
      condition: says('True', 'NewReplicaSetCreated', `Created new replica set "${newSet?.metadata.name ?? ''}"`),
      deadlineMs,
    };
  }
  if (progressed) {
    return { condition: says('True', 'ReplicaSetUpdated', `${subject} is progressing.`), progressed: true, deadlineMs };
  }
  const restarted = current.reason === 'NewReplicaSetAvailable';
  if (restarted) return { condition: says('True', 'ReplicaSetUpdated', `${subject} is progressing.`), deadlineMs };
  const dueMs = Date.parse(current.lastUpdateTime ?? '') + deadlineMs - nowMs;
  if (dueMs > 0) return { deadlineMs: dueMs };
  return { condition: says('False', 'ProgressDeadlineExceeded', `${subject} has timed out progressing.`) };
}
