import type { Deployment, ReplicaSet } from '@evenkeel/kinds';
import { scaledValue } from './int-or-percent.ts';

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
export const maxAnnotation = 'deployment.kubernetes.io/max-replicas';

/** The pods that a rollout may have above and below the desired number. */
export interface RolloutBounds {
  readonly maxSurge: number;
  readonly maxUnavailable: number;
}

/**
 * The bounds of a rolling update in pods. A percentage of maxSurge is rounded up, one of maxUnavailable down. If both are
 * zero, one pod may be unavailable, or the rollout could not progress (`ResolveFenceposts`).
 */
export function rolloutBounds(deployment: Deployment): RolloutBounds {
  const desired = deployment.spec?.replicas ?? 1;
  if (deployment.spec?.strategy?.type === 'Recreate') return { maxSurge: 0, maxUnavailable: desired };
  const rolling = deployment.spec?.strategy?.rollingUpdate;
  const maxSurge = scaledValue(rolling?.maxSurge ?? '25%', desired, Math.ceil);
  const maxUnavailable = scaledValue(rolling?.maxUnavailable ?? '25%', desired, Math.floor);
  return { maxSurge, maxUnavailable: maxSurge === 0 && maxUnavailable === 0 ? 1 : Math.min(maxUnavailable, desired) };
}

/** A ReplicaSet and its desired number of replicas. */
export interface ScaleStep {
  readonly set: ReplicaSet;
  readonly replicas: number;
}

export const replicasOf = (set: ReplicaSet): number => set.spec?.replicas ?? 1;
const availableOf = (set: ReplicaSet): number => set.status?.availableReplicas ?? 0;
const total = (sets: readonly ReplicaSet[], count: (set: ReplicaSet) => number): number =>
  sets.reduce((sum, set) => sum + count(set), 0);

/**
 * One step of a rolling update (`rolloutRolling`). It scales up the new set as far as maxSurge allows. If the new set has
 * its full size, it scales down the old sets as far as maxUnavailable allows, unavailable pods first. `oldSets` must be
 * sorted from the oldest to the newest.
 */
export function rollingStep(deployment: Deployment, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): ScaleStep[] {
  const desired = deployment.spec?.replicas ?? 1;
  const { maxSurge, maxUnavailable } = rolloutBounds(deployment);
  const all = [...oldSets, newSet];
  const grown = grow(desired, maxSurge, newSet, all);
  if (grown !== replicasOf(newSet)) return [{ set: newSet, replicas: grown }];
  return shrink(desired - maxUnavailable, newSet, oldSets);
}

function grow(desired: number, maxSurge: number, newSet: ReplicaSet, all: readonly ReplicaSet[]): number {
  if (replicasOf(newSet) >= desired) return desired;
  const room = desired + maxSurge - total(all, replicasOf);
  return room <= 0 ? replicasOf(newSet) : replicasOf(newSet) + Math.min(room, desired - replicasOf(newSet));
}

function shrink(minAvailable: number, newSet: ReplicaSet, oldSets: readonly ReplicaSet[]): ScaleStep[] {
  const all = [...oldSets, newSet];
  const newUnavailable = replicasOf(newSet) - availableOf(newSet);
  let removable = total(all, replicasOf) - minAvailable - newUnavailable;
  if (total(oldSets, replicasOf) === 0 || removable <= 0) return [];
  const wanted = new Map(oldSets.map((set) => [set, replicasOf(set)]));
  for (const set of oldSets) {
    const unavailable = Math.min(removable, replicasOf(set) - availableOf(set));
    if (unavailable <= 0) continue;
    wanted.set(set, replicasOf(set) - unavailable);
    removable -= unavailable;
  }
  let available = total(all, availableOf) - minAvailable;
  for (const set of oldSets) {
    const left = wanted.get(set) ?? 0;
    const take = Math.min(left, Math.max(0, available));
    if (take <= 0) continue;
    wanted.set(set, left - take);
    available -= take;
  }
  return [...wanted]
    .filter(([set, replicas]) => replicas !== replicasOf(set))
    .map(([set, replicas]) => ({ set, replicas }));
}

/**
 * The steps after a change of `spec.replicas` during a rollout: each set gets a share of the difference in proportion to
 * its size, the largest set gets the remainder (`deployment_util.GetReplicaSetProportion`).
 */
export function proportionalSteps(deployment: Deployment, active: readonly ReplicaSet[]): ScaleStep[] {
  const desired = deployment.spec?.replicas ?? 1;
  const allowed = desired === 0 ? 0 : desired + rolloutBounds(deployment).maxSurge;
  const current = total(active, replicasOf);
  const toAdd = allowed - current;
  const bySize = active.toSorted((left, right) => replicasOf(right) - replicasOf(left));
  let added = 0;
  const steps = bySize.map((set) => {
    const former = Number(set.metadata.annotations?.[maxAnnotation] ?? current);
    const fraction = Math.round((replicasOf(set) * allowed) / Math.max(1, former)) - replicasOf(set);
    const left = toAdd - added;
    const share = toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
    added += share;
    return { set, replicas: replicasOf(set) + share };
  });
  const first = steps[0];
  if (first !== undefined) steps[0] = { set: first.set, replicas: Math.max(0, first.replicas + toAdd - added) };
  return steps;
}
