import { rfc3339 } from '@evenkeel/core';
import type { Pod, PodStatus } from '@evenkeel/kinds';
import type { ControllerContext } from './controller.ts';
import type { EventWriter } from './event-writer.ts';
import { isFinished } from './pod-readiness.ts';
import { type PodSimulation, readSimulation } from './pod-simulation.ts';

type ContainerStatus = NonNullable<PodStatus['containerStatuses']>[number];
type ContainerState = NonNullable<ContainerStatus['state']>;

const firstBackoffMs = 10_000;
const longestBackoffMs = 300_000;

/** The life of one pod so far. Times are in milliseconds of the clock. */
interface Life {
  readonly boundMs: number;
  readonly simulation: PodSimulation | string;
  /** When the containers last started; undefined before their first start. */
  startedMs?: number;
  /** When they exited; undefined while they run. */
  exitedMs?: number;
  exits: number;
  lastState: ContainerState;
  isReported?: boolean;
}

/**
 * Simulates pods that start slowly, become ready late, restart or fail, as their annotations say: docs/embedded-server.md. The
 * restarts follow the restart policy and the back-off of a kubelet: the first at once, then after 10 s, 20 s and so on to 5 minutes.
 */
export class SimulatedPods {
  readonly #context: ControllerContext;
  readonly #events: EventWriter;
  readonly #lives = new Map<string, Life>();

  constructor(context: ControllerContext, events: EventWriter) {
    this.#context = context;
    this.#events = events;
  }

  forget({ metadata }: Pod): void {
    this.#lives.delete(metadata.uid ?? '');
  }

  /** The status that the pod has now, and the delay until it has another one. Both are undefined at the end of its life. */
  advance(pod: Pod, podIP: string): { readonly status?: PodStatus; readonly againMs?: number } {
    if (isFinished(pod)) return {};
    const life = this.#lifeOf(pod);
    const { simulation } = life;
    if (typeof simulation === 'string') {
      if (life.isReported !== true) this.#events.warning(pod, 'InvalidSimulation', simulation);
      life.isReported = true;
      return {};
    }
    const nowMs = this.#context.clock.now();
    const dueMs = nextChange(pod, life, simulation);
    if (dueMs !== undefined && dueMs <= nowMs) {
      change(life, simulation, nowMs);
      return this.advance(pod, podIP);
    }
    const status = statusOf(pod, life, simulation, podIP, nowMs);
    const wakes = [dueMs, readyMs(life, simulation)].filter((ms) => ms !== undefined && ms > nowMs) as number[];
    return { status, ...(wakes.length > 0 && { againMs: Math.min(...wakes) - nowMs }) };
  }

  #lifeOf(pod: Pod): Life {
    const uid = pod.metadata.uid ?? '';
    let life = this.#lives.get(uid);
    if (life === undefined) {
      life = { boundMs: this.#context.clock.now(), simulation: readSimulation(pod), exits: 0, lastState: {} };
      this.#lives.set(uid, life);
    }
    return life;
  }
}

/** When the containers start or exit next; undefined if they do not. */
function nextChange(pod: Pod, life: Life, simulation: PodSimulation): number | undefined {
  if (life.startedMs === undefined) return life.boundMs + simulation.startAfterMs;
  if (life.exitedMs !== undefined) return isOver(pod, life, simulation) ? undefined : life.exitedMs + backoffMs(life);
  const { exitAfterMs, exitsMax } = simulation;
  if (exitAfterMs === undefined || (exitsMax !== undefined && life.exits >= exitsMax)) return undefined;
  return life.startedMs + exitAfterMs;
}

function change(life: Life, simulation: PodSimulation, nowMs: number): void {
  if (life.startedMs !== undefined && life.exitedMs === undefined) {
    life.exitedMs = nowMs;
    life.exits++;
    return;
  }
  if (life.exitedMs !== undefined) life.lastState = terminated(life, simulation);
  life.startedMs = nowMs;
  delete life.exitedMs;
}

/** Whether the containers do not start again. */
function isOver({ spec }: Pod, { exitedMs }: Life, { exitCode }: PodSimulation): boolean {
  if (exitedMs === undefined || spec?.restartPolicy === 'Always') return false;
  return spec?.restartPolicy === 'Never' || exitCode === 0;
}

function backoffMs({ exits }: Life): number {
  return exits === 1 ? 0 : Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.min(exits - 2, 20));
}

function readyMs({ startedMs, exitedMs }: Life, { readyAfterMs }: PodSimulation): number | undefined {
  if (startedMs === undefined || exitedMs !== undefined || readyAfterMs === undefined) return undefined;
  return startedMs + readyAfterMs;
}

function terminated({ startedMs = 0, exitedMs = 0 }: Life, { exitCode }: PodSimulation): ContainerState {
  return {
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: rfc3339(new Date(startedMs)),
      finishedAt: rfc3339(new Date(exitedMs)),
    },
  };
}

function stateOf(pod: Pod, life: Life, simulation: PodSimulation, container: string): ContainerState {
  if (life.startedMs === undefined) return { waiting: { reason: 'ContainerCreating' } };
  if (life.exitedMs === undefined) return { running: { startedAt: rfc3339(new Date(life.startedMs)) } };
  if (isOver(pod, life, simulation)) return terminated(life, simulation);
  const { name, namespace, uid } = pod.metadata;
  const failed = `restarting failed container=${container} pod=${name}_${namespace}(${uid})`;
  return { waiting: { reason: 'CrashLoopBackOff', message: `back-off ${shownSeconds(backoffMs(life))} ${failed}` } };
}

/** As Go prints a duration of whole seconds. */
function shownSeconds(ms: number): string {
  const [minutes, seconds] = [Math.floor(ms / 60_000), (ms / 1000) % 60];
  return minutes === 0 ? `${seconds}s` : `${minutes}m${seconds}s`;
}

function statusOf(pod: Pod, life: Life, simulation: PodSimulation, podIP: string, nowMs: number): PodStatus {
  const isEnd = isOver(pod, life, simulation);
  const sinceMs = readyMs(life, simulation);
  const isReady = sinceMs !== undefined && sinceMs <= nowMs;
  const isWaiting = life.exitedMs !== undefined && !isEnd;
  const hasStarted = life.startedMs !== undefined;
  const restartCount = Math.max(0, life.exits - (life.exitedMs === undefined ? 0 : 1));
  const lastState = isWaiting ? terminated(life, simulation) : life.lastState;
  return {
    ...pod.status,
    phase: isEnd ? (simulation.exitCode === 0 ? 'Succeeded' : 'Failed') : hasStarted ? 'Running' : 'Pending',
    conditions: conditionsOf(pod, isReady, isEnd, simulation.exitCode, nowMs),
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image }) => ({
      name,
      image: image ?? '',
      imageID: '',
      ready: isReady,
      started: hasStarted && life.exitedMs === undefined,
      restartCount,
      lastState,
      state: stateOf(pod, life, simulation, name),
    })),
    hostIP: '127.0.0.1',
    ...(hasStarted && { podIP, podIPs: [{ ip: podIP }] }),
    startTime: pod.status?.startTime ?? rfc3339(new Date(life.boundMs)),
  };
}

type Condition = NonNullable<PodStatus['conditions']>[number];

function conditionsOf(pod: Pod, isReady: boolean, isEnd: boolean, exitCode: number, nowMs: number): Condition[] {
  const now = rfc3339(new Date(nowMs));
  const old = pod.status?.conditions ?? [];
  const names = (pod.spec?.containers ?? []).map(({ name }) => name).join(' ');
  const why = isEnd
    ? { reason: exitCode === 0 ? 'PodCompleted' : 'PodFailed' }
    : { reason: 'ContainersNotReady', message: `containers with unready status: [${names}]` };
  const condition = (type: string, isTrue: boolean): Condition => {
    const status = isTrue ? 'True' : 'False';
    const before = old.find((one) => one.type === type);
    const lastTransitionTime = before?.status === status ? (before.lastTransitionTime ?? now) : now;
    return { type, status, lastTransitionTime, ...(isTrue ? {} : why) };
  };
  const scheduled = old.find(({ type }) => type === 'PodScheduled') ?? condition('PodScheduled', true);
  return [
    condition('Initialized', true),
    condition('Ready', isReady),
    condition('ContainersReady', isReady),
    scheduled,
    ...old.filter(({ type }) => !['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].includes(type)),
  ];
}
