import type { Pod } from '@evenkeel/kinds';

/** Whether the containers of a pod have exited for good. */
export function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Whether a pod is neither finished nor terminating. Only such pods count as a controller's pods. */
export function isActive(pod: Pod): boolean {
  return pod.metadata.deletionTimestamp === undefined && !isFinished(pod);
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** The time since which the pod has been ready; undefined if it is not ready. */
function readySinceMs(pod: Pod): number | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return ready === undefined ? undefined : Date.parse(ready.lastTransitionTime ?? '');
}

/** The time until the pod has been ready for `minReadySeconds`: 0 if it is available, undefined if it is not ready. */
export function untilAvailableMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  const since = readySinceMs(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1000 - nowMs);
}
