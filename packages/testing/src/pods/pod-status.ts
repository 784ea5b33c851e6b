import { rfc3339 } from '@evenkeel/core';
import type { Pod, PodStatus } from '@evenkeel/kinds';
import type { ContainerStatus } from '@evenkeel/kinds/core/v1';
import type { ContainerState, PodContainer, Termination } from './pod-container.ts';
import type { PodAddresses } from './pod-fields.ts';

type PodCondition = NonNullable<PodStatus['conditions']>[number];
type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

/** The containers of a pod. Init containers run before the others. */
export interface PodContainers {
  readonly init: readonly PodContainer[];
  readonly main: readonly PodContainer[];
}

/** What does not change while the pod runs. */
export interface StatusBasis extends PodAddresses {
  readonly startedMs: number;
  readonly nowMs: number;
}

/** Returns the status of a pod by the kubelet's rules. Keeps the conditions of others, and the times of unchanged ones. */
export function podStatus(pod: Pod, containers: PodContainers, basis: StatusBasis): PodStatus {
  const { init, main } = containers;
  const { podIP, hostIP, startedMs, nowMs } = basis;
  const phase = phaseOf(containers);
  const isInitialized = init.every(isInitializedBy);
  const unready = main.filter((container) => !container.isReady).map(({ container }) => container.name);
  const isFinished = phase === 'Succeeded' || phase === 'Failed';
  const before = pod.status?.conditions ?? [];
  const gates = (pod.spec?.readinessGates ?? []).filter(
    ({ conditionType }) => !before.some(({ type, status }) => type === conditionType && status === 'True'),
  );
  const unreadyBecause = isFinished
    ? { reason: phase === 'Succeeded' ? 'PodCompleted' : 'PodFailed' }
    : unready.length > 0
      ? { reason: 'ContainersNotReady', message: `containers with unready status: [${unready.join(' ')}]` }
      : undefined;
  const gatesMissing =
    gates.length === 0
      ? undefined
      : {
          reason: 'ReadinessGatesNotReady',
          message: `corresponding condition of pod readiness gate "${gates[0]?.conditionType}" does not exist.`,
        };
  const own = [
    { type: 'Initialized', because: isInitialized ? undefined : { reason: 'ContainersNotInitialized' } },
    { type: 'ContainersReady', because: unreadyBecause },
    { type: 'Ready', because: unreadyBecause ?? gatesMissing },
  ].map(({ type, because }): PodCondition => {
    const status = because === undefined ? 'True' : 'False';
    const old = before.find((condition) => condition.type === type && condition.status === status);
    return { type, status, lastTransitionTime: old?.lastTransitionTime ?? time(nowMs), ...because };
  });
  const types = new Set(own.map(({ type }) => type));
  return {
    phase,
    conditions: [...before.filter(({ type }) => !types.has(type)), ...own],
    containerStatuses: main.map((container) => containerStatus(container, false)),
    ...(init.length === 0 ? {} : { initContainerStatuses: init.map((container) => containerStatus(container, true)) }),
    ...{ hostIP, hostIPs: [{ ip: hostIP }], podIP, podIPs: [{ ip: podIP }], startTime: time(startedMs) },
  };
}

/** The kubelet's `getPhase`. */
function phaseOf({ init, main }: PodContainers): Phase {
  const isOver = (container: PodContainer): boolean => container.state.type === 'terminated' && !willRestart(container);
  const hasFailed = (container: PodContainer): boolean =>
    container.state.type === 'terminated' && container.state.exitCode !== 0;
  if (init.some((container) => isOver(container) && hasFailed(container))) return 'Failed';
  if (!init.every(isInitializedBy)) return 'Pending';
  const neverRan = ({ state, last }: PodContainer): boolean => state.type === 'waiting' && last === undefined;
  if (main.some(neverRan)) return 'Pending';
  if (!main.every(isOver)) return 'Running';
  return main.some(hasFailed) ? 'Failed' : 'Succeeded';
}

function willRestart({ policy, state }: PodContainer): boolean {
  if (state.type !== 'terminated') return false;
  return policy === 'Always' || (policy === 'OnFailure' && state.exitCode !== 0);
}

/** Whether the next container may start. A sidecar only needs to be started. */
export function isInitializedBy({ policy, state, isStarted, container }: PodContainer): boolean {
  if (container.restartPolicy === 'Always' && policy === 'Always') return isStarted;
  return state.type === 'terminated' && state.exitCode === 0;
}

/** A finished init container is ready, a finished main container is not. */
function containerStatus(
  { container, state, last, restartCount, isReady, isStarted }: PodContainer,
  isInit: boolean,
): ContainerStatus {
  const image = container.image ?? '';
  return {
    name: container.name,
    ...{ image, imageID: image, restartCount, started: isStarted },
    ready: isReady || (isInit && state.type === 'terminated' && state.exitCode === 0),
    state: stateOf(state),
    lastState: last === undefined ? {} : { terminated: terminated(last) },
  } as ContainerStatus;
}

function stateOf(state: ContainerState): object {
  switch (state.type) {
    case 'waiting':
      return { waiting: { reason: state.reason, ...(state.message === undefined ? {} : { message: state.message }) } };
    case 'running':
      return { running: { startedAt: time(state.startedMs) } };
    default:
      return { terminated: terminated(state) };
  }
}

function terminated({ exitCode, reason, startedMs, finishedMs, message }: Termination): object {
  return {
    ...{ exitCode, reason, startedAt: time(startedMs), finishedAt: time(finishedMs) },
    ...(message === undefined ? {} : { message }),
  };
}

function time(ms: number): string {
  return rfc3339(new Date(ms));
}
