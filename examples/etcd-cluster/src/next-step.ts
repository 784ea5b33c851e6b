import { nextChange, quorumOf } from 'evenkeel/lifecycle';

/** A member with what is known about its pod. */
export interface Member {
  readonly id: string;
  /** Also the name of its pod. */
  readonly name: string;
  readonly isLearner: boolean;
  readonly isLeader: boolean;
  /** Whether it responds, knows a leader, and runs the version of its pod. */
  readonly isHealthy: boolean;
  readonly pod: MemberPod | undefined;
}

export interface MemberPod {
  readonly name: string;
  readonly uid: string;
  readonly version: string;
  /** The restore with whose data it started. */
  readonly restore: string | undefined;
  readonly isTerminating: boolean;
  readonly isReady: boolean;
  /** Whether its container runs now. */
  readonly isRunning: boolean;
  /** Whether it will not work again: it has failed, or was not ready for a long time. */
  readonly isLost: boolean;
}

export interface ClusterView {
  readonly size: number;
  /** The version that all members should run. */
  readonly version: string;
  /** As a quorum lists them. */
  readonly members: readonly Member[];
  /** All pods of the cluster. */
  readonly pods: readonly MemberPod[];
}

export type StepReason = 'Recovering' | 'Scaling' | 'Upgrading';

/** What to do next, and the condition that it belongs to. */
export type Step =
  | { readonly do: 'nothing' }
  | { readonly do: 'wait'; readonly reason: StepReason; readonly message: string }
  | { readonly do: 'delete-pod'; readonly reason: StepReason; readonly pod: MemberPod }
  | { readonly do: 'add-learner'; readonly reason: StepReason }
  | { readonly do: 'promote'; readonly reason: StepReason; readonly member: Member }
  | { readonly do: 'remove'; readonly reason: StepReason; readonly member: Member }
  | { readonly do: 'move-leader'; readonly reason: StepReason; readonly from: Member; readonly to: Member }
  | { readonly do: 'upgrade'; readonly reason: StepReason; readonly member: Member };

/**
 * Decides the next step of a cluster that has a quorum. It is a function of what was observed: whatever was interrupted, the next
 * call continues.
 *
 * - A new member starts as a learner, which does not vote, so that a pod that does not start cannot cost the quorum.
 * - A member without its pod has lost its data. It never starts again under its ID, because it would have forgotten its votes.
 * - A working member is stopped only if all others work.
 */
export function nextStep(view: ClusterView): Step {
  return (
    clean(view) ??
    recover(view) ??
    upgrade(view, isDown) ??
    settleLearner(view) ??
    awaitHealth(view) ??
    scale(view) ??
    upgrade(view) ?? { do: 'nothing' }
  );
}

/** Deletes the pods of removed members. */
function clean({ members, pods }: ClusterView): Step | undefined {
  const left = pods.find(({ name, isTerminating }) => !isTerminating && members.every((one) => one.name !== name));
  return left && { do: 'delete-pod', reason: 'Scaling', pod: left };
}

/** Removes members that have lost their data, one at a time, while the others are a quorum. */
function recover({ members }: ClusterView): Step | undefined {
  const lost = members.find(({ pod, isHealthy }) => !isHealthy && (pod === undefined || pod.isLost));
  if (lost === undefined) return undefined;
  const voters = members.filter((member) => !member.isLearner && member !== lost);
  const needed = quorumOf(voters.length);
  if (voters.filter(({ isHealthy }) => isHealthy).length < needed)
    return wait('Recovering', `${lost.name} is lost; it is replaced when ${needed} other members are healthy`);
  return { do: 'remove', reason: 'Recovering', member: lost };
}

/** Lets a new member vote when it has the data. */
function settleLearner({ members, size }: ClusterView): Step | undefined {
  const learner = members.find(({ isLearner }) => isLearner);
  if (learner === undefined) return undefined;
  if (members.length > size) return { do: 'remove', reason: 'Scaling', member: learner };
  return learner.isHealthy
    ? { do: 'promote', reason: 'Scaling', member: learner }
    : wait('Scaling', `the new member ${learner.name} starts`);
}

/** All steps that follow stop or add members that work, so all others must work. */
function awaitHealth({ members, version }: ClusterView): Step | undefined {
  const unhealthy = members.filter(({ isHealthy, pod }) => !isHealthy || pod?.isTerminating !== false);
  if (unhealthy.length === 0) return undefined;
  const isUpgrading = unhealthy.every(({ pod }) => pod?.version === version) && members.some(isOutdated(version));
  return wait(isUpgrading ? 'Upgrading' : 'Recovering', `waits for ${unhealthy.map(({ name }) => name).join(', ')}`);
}

function scale({ members, size }: ClusterView): Step | undefined {
  if (members.length < size) return { do: 'add-learner', reason: 'Scaling' };
  if (members.length === size) return undefined;
  const [member] = members.toSorted((a, b) => Number(a.isLeader) - Number(b.isLeader) || indexOf(b) - indexOf(a));
  return member && { do: 'remove', reason: 'Scaling', member };
}

/** Upgrades one member, the leader last. Before that, the leader passes its role on. */
function upgrade({ members, version }: ClusterView, isWanted = (_: Member): boolean => true): Step | undefined {
  const change = nextChange(members, {
    isCurrent: (member) => !isOutdated(version)(member),
    isHealthy: ({ isHealthy }) => isHealthy,
    isDown,
    isLast: ({ isLeader }) => isLeader,
  });
  if (change.outcome !== 'change' || !isWanted(change.member)) return undefined;
  const { member } = change;
  const to = members.find((other) => other !== member && !other.isLearner && other.isHealthy);
  return member.isLeader && to !== undefined
    ? { do: 'move-leader', reason: 'Upgrading', from: member, to }
    : { do: 'upgrade', reason: 'Upgrading', member };
}

const isOutdated =
  (version: string) =>
  ({ pod }: Member): boolean =>
    pod !== undefined && pod.version !== version;

/** Nothing of it runs, so that a change stops nothing. */
function isDown({ pod, isHealthy }: Member): boolean {
  return !isHealthy && pod !== undefined && !pod.isRunning && !pod.isTerminating;
}

function wait(reason: StepReason, message: string): Step {
  return { do: 'wait', reason, message };
}

/** Returns the number at the end of a member's name. */
export function indexOf({ name }: { readonly name: string }): number {
  return Number(/\d+$/.exec(name)?.[0] ?? -1);
}
