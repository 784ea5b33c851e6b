import type { Client } from '@evenkeel/client';
import type { LabelSelector } from '@evenkeel/kinds';
import { Deployment } from '@evenkeel/kinds/apps/v1';
import { type ContainerStatus, CoreEvent, Pod } from '@evenkeel/kinds/core/v1';

/** How much of the log of a failed container, and how many events of a pod, are shown. */
const logLines = 10;
const eventsShown = 3;
const podsShown = 3;

export interface PodsOf {
  readonly namespace: string;
  readonly selector: LabelSelector;
}

/** The pods of a Deployment. */
export function podsOf({ metadata, spec }: Deployment): PodsOf {
  return { namespace: metadata.namespace ?? 'default', selector: spec?.selector ?? {} };
}

/**
 * Returns why the pods of a Deployment are not ready, one line each: conditions, states of containers, the last lines of the log of a
 * container that exited, and events. Never reads Secrets. Empty if nothing is wrong.
 *
 * @param isFinal whether to read logs and events too.
 */
export async function podProblems(
  client: Client,
  deployment: Deployment,
  isFinal: boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const { namespace, selector } = podsOf(deployment);
  const lines = conditionsOf(deployment);
  const { items } = await client.list(Pod, { namespace, labels: selector.matchLabels ?? {}, signal });
  const broken = items.filter((pod) => pod.metadata.deletionTimestamp === undefined && !isReady(pod));
  for (const pod of newestFirst(broken).slice(0, podsShown)) {
    const states = stateOf(pod);
    lines.push(...states);
    if (!isFinal) continue;
    for (const container of pod.status?.containerStatuses ?? []) lines.push(...(await logOf(client, pod, container)));
    const events = await eventsOf(client, pod, signal);
    // The scheduler writes an event with the message of its condition.
    const isKnown = (message: string) => states.some((state) => state.includes(message));
    lines.push(...events.filter(({ message = '' }) => !isKnown(message)).map(eventText));
  }
  return lines;
}

function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: state }) => type === 'Ready' && state === 'True');
}

function newestFirst(pods: readonly Pod[]): Pod[] {
  const createdAt = ({ metadata }: Pod): string => metadata.creationTimestamp ?? '';
  return pods.toSorted((left, right) => (createdAt(left) > createdAt(right) ? -1 : 1));
}

/** Such as an exceeded quota, or a pod that Pod Security rejects. */
function conditionsOf({ metadata, status }: Deployment): string[] {
  return (status?.conditions ?? []).flatMap(({ type, status: state, message }) =>
    type === 'ReplicaFailure' && state === 'True' ? [`Deployment ${metadata.name}: ${message}`] : [],
  );
}

function stateOf({ metadata, status }: Pod): string[] {
  const { conditions = [], containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  const unscheduled = conditions.find(({ type, status: state }) => type === 'PodScheduled' && state === 'False');
  const ofContainers = [...initContainerStatuses, ...containerStatuses].flatMap((container) => {
    const text = containerText(container);
    return text === undefined ? [] : [`container ${container.name} ${text}`];
  });
  const causes = [
    ...(unscheduled === undefined ? [] : [`is not scheduled: ${unscheduled.reason}: ${unscheduled.message}`]),
    ...ofContainers,
  ];
  if (causes.length === 0) causes.push(`is ${status?.phase ?? 'Pending'}, and not ready`);
  return causes.map((cause) => `pod ${metadata.name}: ${cause}`);
}

/** The fixes for the states that the kubelet reports most often. */
const fixes: Readonly<Record<string, string>> = {
  ImagePullBackOff: 'check the name and the tag of the image, and that the cluster may pull it',
  ErrImagePull: 'check the name and the tag of the image, and that the cluster may pull it',
  InvalidImageName: 'check the name of the image',
  ErrImageNeverPull: 'load the image into the nodes',
};

function containerText({ ready, state, lastState, restartCount }: ContainerStatus): string | undefined {
  if (ready) return undefined;
  const restarts = restartCount === 0 ? '' : ` after ${restartCount} ${restartCount === 1 ? 'restart' : 'restarts'}`;
  const exited = state?.terminated ?? lastState?.terminated;
  const exit =
    exited === undefined
      ? undefined
      : `exited with code ${exited.exitCode}${exited.reason === undefined ? '' : ` (${exited.reason})`}`;
  const { reason = '', message = '' } = state?.waiting ?? {};
  if (exit !== undefined) return `${exit}${reason === '' ? '' : `, and waits: ${reason}`}${restarts}`;
  if (state?.waiting !== undefined) {
    const fix = fixes[reason] === undefined ? '' : `; ${fixes[reason]}`;
    return `waits: ${[reason, message].filter((text) => text !== '').join(': ')}${fix}`;
  }
  return `runs${restarts}, and is not ready: its readiness probe fails`;
}

/** The log of the run that ended last, or the current one. */
async function logOf(client: Client, pod: Pod, { name, ready, state, lastState }: ContainerStatus): Promise<string[]> {
  const hasRun = state?.running !== undefined || state?.terminated !== undefined || lastState?.terminated !== undefined;
  if (ready || !hasRun) return [];
  const previous = state?.running === undefined && state?.terminated === undefined;
  const lines: string[] = [];
  try {
    const key = { namespace: pod.metadata.namespace, name: pod.metadata.name };
    for await (const line of client.logs(key, { container: name, previous, tailLines: logLines })) lines.push(line);
  } catch (error) {
    return [`  its log cannot be read: ${error instanceof Error ? error.message : String(error)}`];
  }
  return lines.length === 0 ? [] : ['  the end of its log:', ...lines.map((line) => `  | ${line}`)];
}

async function eventsOf(client: Client, { metadata }: Pod, signal: AbortSignal): Promise<CoreEvent[]> {
  const { name, namespace } = metadata;
  const fields = { 'involvedObject.name': name, type: 'Warning' };
  const { items } = await client.list(CoreEvent, { namespace, fields, signal });
  return items.slice(-eventsShown);
}

function eventText({ reason = '', message = '', count = 1 }: CoreEvent): string {
  return `  event: ${reason}: ${message}${count > 1 ? ` (${count} times)` : ''}`;
}
