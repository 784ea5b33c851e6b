import { rfc3339 } from '@evenkeel/core';
import type { Pod } from '@evenkeel/kinds';
import type { ControllerContext } from '../controller.ts';
import { splitKey } from '../controller-reference.ts';
import { isActive } from '../pod-readiness.ts';

const pods = { group: '', plural: 'pods' };

/** How long a pod may have the condition without being deleted (`stalePodDisruptionTimeout`). */
const timeoutMs = 120_000;

/** Whether something announced that it would delete the pod, and the pod runs on. */
export function hasDisruption(pod: Pod): boolean {
  return disruptionOf(pod) !== undefined;
}

function disruptionOf(pod: Pod): NonNullable<NonNullable<Pod['status']>['conditions']>[number] | undefined {
  if (!isActive(pod)) return undefined;
  return pod.status?.conditions?.find(({ type, status }) => type === 'DisruptionTarget' && status === 'True');
}

/**
 * Sets the condition DisruptionTarget of a pod to False if the pod was not deleted in time. Returns the delay until then.
 * Source: `syncStalePodDisruption`, `pkg/controller/disruption/disruption.go`.
 */
export async function clearStaleDisruption(
  { client, clock }: ControllerContext,
  key: string,
): Promise<number | undefined> {
  const { namespace, name } = splitKey(key);
  const pod = client.get<Pod>(pods, namespace, name);
  const disruption = pod === undefined ? undefined : disruptionOf(pod);
  if (pod === undefined || disruption === undefined) return undefined;
  const leftMs = Date.parse(disruption.lastTransitionTime ?? '') + timeoutMs - clock.now();
  if (leftMs > 0) return leftMs;
  const cleared = {
    type: 'DisruptionTarget',
    status: 'False' as const,
    lastTransitionTime: rfc3339(new Date(clock.now())),
  };
  const conditions = pod.status?.conditions?.map((one) => (one === disruption ? cleared : one)) ?? [];
  await client.updateStatus(pods, { ...pod, status: { ...pod.status, conditions } });
  return undefined;
}
