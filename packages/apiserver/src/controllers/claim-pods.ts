import type { KubernetesObject, OwnerReference } from '@evenkeel/core';
import type { Pod } from '@evenkeel/kinds';
import { controllerOf, controllerReferenceTo, isControlledBy } from './controller-reference.ts';
import type { ServerClient } from './server-client.ts';

const pods = { group: '', plural: 'pods' };

/**
 * The pods that a workload controls. First adopts pods that it selects and that have no controller, and releases pods that
 * it no longer selects. Source: `PodControllerRefManager`, `pkg/controller/controller_ref_manager.go`.
 */
export async function claimPods(
  client: ServerClient,
  workload: KubernetesObject,
  selects: (pod: Pod) => boolean,
): Promise<Pod[]> {
  const isDeleting = workload.metadata.deletionTimestamp !== undefined;
  const claimed: Pod[] = [];
  for (const pod of client.list<Pod>(pods, workload.metadata.namespace)) {
    const isSelected = selects(pod);
    if (isControlledBy(pod, workload)) {
      if (isSelected) claimed.push(pod);
      else if (!isDeleting) {
        await replaceOwners(client, pod, (owners) => owners.filter(({ uid }) => uid !== workload.metadata.uid));
      }
    } else if (isSelected && !isDeleting && controllerOf(pod) === undefined && !pod.metadata.deletionTimestamp) {
      claimed.push(await replaceOwners(client, pod, (owners) => [...owners, controllerReferenceTo(workload)]));
    }
  }
  return claimed;
}

function replaceOwners(
  client: ServerClient,
  { metadata }: Pod,
  change: (references: readonly OwnerReference[]) => OwnerReference[],
): Promise<Pod> {
  const { namespace, name, uid, resourceVersion, ownerReferences = [] } = metadata;
  return client.patch<Pod>(pods, namespace, name, {
    metadata: { uid, resourceVersion, ownerReferences: change(ownerReferences) },
  });
}
