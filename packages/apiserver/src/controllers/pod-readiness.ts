import type { Pod } from '@evenkeel/kinds';

/** Neither finished nor on its way out: what counts as one of a controller's pods. */
export function isActive(pod: Pod): boolean {
  return (
    pod.metadata.deletionTimestamp === undefined && pod.status?.phase !== 'Succeeded' && pod.status?.phase !== 'Failed'
  );
}

export function isReady(pod: Pod): boolean {
  return pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') === true;
}

/** Since when the pod has been ready; undefined where it is not. */
function readySinceMs(pod: Pod): number | undefined {
  const ready = pod.status?.conditions?.find(({ type, status }) => type === 'Ready' && status === 'True');
  return ready === undefined ? undefined : Date.parse(ready.lastTransitionTime ?? '');
}

/** How long until the pod has been ready for `minReadySeconds`: 0 when it is available, undefined while not ready. */
export function untilAvailableMs(pod: Pod, minReadySeconds: number, nowMs: number): number | undefined {
  const since = readySinceMs(pod);
  if (since === undefined) return undefined;
  return minReadySeconds === 0 ? 0 : Math.max(0, since + minReadySeconds * 1000 - nowMs);
}
