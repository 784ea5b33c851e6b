import type { ManagedFieldsEntry } from '@evenkeel/core';
import { decodeManagers, encodeManagers, isSameManager, type Manager } from './manager.ts';
import type { PathElement } from './path-element.ts';
import { PathSet } from './path-set.ts';

/** Where the kind of a scaled object keeps its replicas, by the kind's apiVersion: `['spec', 'replicas']`. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[]>;

const scaleApiVersion = 'autoscaling/v1';
const scaleReplicas: readonly PathElement[] = ['spec', 'replicas'];

/**
 * The managedFields of a Scale, out of those of the object that it scales: whoever owns the object's replicas owns the
 * Scale's (`ToSubresource` of apimachinery's `managedfields/scalehandler.go`).
 *
 * @throws Error where the object's managedFields cannot be read.
 */
export function scaleManagedFields(parent: unknown, paths: ReplicasPaths): ManagedFieldsEntry[] | undefined {
  const managers: Manager[] = [];
  for (const manager of decodeManagers(parent)) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined || !manager.set.has(path)) continue;
    managers.push({ ...manager, apiVersion: scaleApiVersion, set: PathSet.of(scaleReplicas) });
  }
  return encodeManagers(managers);
}

/**
 * The managedFields of the scaled object after a request to its Scale, which has `scale` now: who does not own the Scale's
 * replicas any more loses the object's, and who does owns them in the object's version `apiVersion` (`ToParent` upstream).
 *
 * As upstream, an updater counts as another one in the Scale's version. So a request that changes nothing splits an
 * updater's entry in two, and the entry of the replicas has no time.
 *
 * @throws Error where managedFields cannot be read.
 */
export function parentManagedFields(
  parent: unknown,
  scale: unknown,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  const parentManagers = decodeManagers(parent);
  const scaleManagers = decodeManagers(scale);
  const managers: Manager[] = [];
  for (const manager of parentManagers) {
    const path = paths.get(manager.apiVersion);
    if (path === undefined) continue;
    const keepsReplicas = scaleManagers.some((other) => isSameManager(other, manager));
    const set = keepsReplicas ? manager.set : manager.set.difference(PathSet.of(path));
    if (!set.isEmpty) managers.push({ ...manager, set });
  }
  const path = paths.get(apiVersion);
  for (const manager of scaleManagers) {
    if (path === undefined || !manager.set.has(scaleReplicas)) continue;
    const known = parentManagers.find((other) => isSameManager(other, manager));
    if (known?.set.has(paths.get(known.apiVersion) ?? [])) continue;
    managers.push({ ...manager, apiVersion, time: known?.time, set: PathSet.of(path) });
  }
  return encodeManagers(managers);
}
