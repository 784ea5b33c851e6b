import type { ContainerStatus, Pod, PodStatus } from '@evenkeel/kinds';
import { ageOf, since } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn, wideColumn } from './define-printer.ts';

const none = '<none>';

/** Source: `printPod`, `pkg/printers/internalversion/printers.go`. */
export const podPrinter = definePrinter<Pod>({
  columns: [
    nameColumn,
    column('Ready'),
    column('Status'),
    column('Restarts'),
    ageColumn,
    wideColumn('IP'),
    wideColumn('Node'),
    wideColumn('Nominated Node'),
    wideColumn('Readiness Gates'),
  ],
  cells(pod, now) {
    const { spec, status } = pod;
    const summary = summarize(pod);
    const restarts =
      summary.restarts > 0 && summary.lastRestart !== undefined
        ? `${summary.restarts} (${since(summary.lastRestart, now)} ago)`
        : String(summary.restarts);
    return [
      pod.metadata.name,
      `${summary.ready}/${summary.total}`,
      summary.reason,
      restarts,
      ageOf(pod, now),
      status?.podIPs?.[0]?.ip || none,
      spec?.nodeName || none,
      status?.nominatedNodeName || none,
      readinessGates(pod),
    ];
  },
  rowConditions({ status }) {
    if (status?.phase === 'Succeeded') return [completed('Succeeded', 'The pod has completed successfully.')];
    if (status?.phase === 'Failed') return [completed('Failed', 'The pod failed.')];
    return [];
  },
});

const completed = (reason: string, message: string) => ({ type: 'Completed', status: 'True', reason, message });

interface PodSummary {
  reason: string;
  ready: number;
  total: number;
  restarts: number;
  lastRestart: string | undefined;
}

/** Summarizes the state of a Pod and its containers. Init containers come first until all of them have finished. */
function summarize({ metadata, spec, status = {} }: Pod): PodSummary {
  const sidecars = new Set<string>();
  for (const { name, restartPolicy } of spec?.initContainers ?? []) if (restartPolicy === 'Always') sidecars.add(name);
  const summary: PodSummary = {
    reason: status.reason || status.phase || '',
    ready: 0,
    total: (spec?.containers ?? []).length + sidecars.size,
    restarts: 0,
    lastRestart: undefined,
  };
  if ((status.conditions ?? []).some((one) => one.type === 'PodScheduled' && one.reason === 'SchedulingGated')) {
    summary.reason = 'SchedulingGated';
  }
  const sidecarRestarts = { restarts: 0, lastRestart: undefined };
  const initializing = summarizeInit(summary, sidecarRestarts, status, sidecars, (spec?.initContainers ?? []).length);
  if (!initializing || hasCondition(status, 'Initialized')) {
    Object.assign(summary, sidecarRestarts);
    summarizeContainers(summary, status);
  }
  if (metadata.deletionTimestamp !== undefined) {
    if (status.reason === 'NodeLost') summary.reason = 'Unknown';
    else if (status.phase !== 'Failed' && status.phase !== 'Succeeded') summary.reason = 'Terminating';
  }
  return summary;
}

/** Reads the init containers up to the first that has not finished. Returns whether there is one. */
function summarizeInit(
  summary: PodSummary,
  sidecarRestarts: Restarts,
  status: PodStatus,
  sidecars: ReadonlySet<string>,
  total: number,
): boolean {
  for (const [index, container] of (status.initContainerStatuses ?? []).entries()) {
    countRestarts(summary, container);
    const sidecar = sidecars.has(container.name);
    if (sidecar) countRestarts(sidecarRestarts, container);
    const { terminated, waiting } = container.state ?? {};
    if (terminated?.exitCode === 0) continue;
    if (sidecar && container.started === true) {
      if (container.ready) summary.ready += 1;
      continue;
    }
    if (terminated !== undefined) summary.reason = `Init:${endOf(terminated)}`;
    else if (waiting?.reason && waiting.reason !== 'PodInitializing') summary.reason = `Init:${waiting.reason}`;
    else summary.reason = `Init:${index}/${total}`;
    return true;
  }
  return false;
}

function summarizeContainers(summary: PodSummary, status: PodStatus): void {
  let running = false;
  let error = '';
  for (const container of [...(status.containerStatuses ?? [])].reverse()) {
    countRestarts(summary, container);
    const state = container.state ?? {};
    if (state.waiting?.reason) summary.reason = state.waiting.reason;
    else if (state.terminated !== undefined) {
      summary.reason = endOf(state.terminated);
      if (state.terminated.exitCode !== 0) error = summary.reason;
    } else if (container.ready && state.running !== undefined) {
      running = true;
      summary.ready += 1;
    }
  }
  if (summary.reason !== 'Completed') return;
  if (running && hasCondition(status, 'Ready')) summary.reason = 'Running';
  else if (error !== '') summary.reason = error;
  else if (running) summary.reason = 'NotReady';
}

type Restarts = Pick<PodSummary, 'restarts' | 'lastRestart'>;

function countRestarts(sum: Restarts, { restartCount, lastState }: ContainerStatus): void {
  sum.restarts += restartCount ?? 0;
  const ended = lastState?.terminated?.finishedAt;
  if (ended && (sum.lastRestart === undefined || Date.parse(ended) > Date.parse(sum.lastRestart))) {
    sum.lastRestart = ended;
  }
}

function endOf({ reason, signal, exitCode }: { reason?: string; signal?: number; exitCode: number }): string {
  if (reason) return reason;
  return signal ? `Signal:${signal}` : `ExitCode:${exitCode}`;
}

function hasCondition(status: PodStatus, type: string): boolean {
  return (status.conditions ?? []).find((condition) => condition.type === type)?.status === 'True';
}

function readinessGates({ spec, status = {} }: Pod): string {
  const gates = spec?.readinessGates ?? [];
  if (gates.length === 0) return none;
  return `${gates.filter(({ conditionType }) => hasCondition(status, conditionType)).length}/${gates.length}`;
}
