import type { ManagedFieldsEntry } from '@evenkeel/core';
import { decodeManagers, encodeManagers, isSameManager, type Manager } from './manager.ts';
import type { PathElement } from './path-element.ts';
import { PathSet } from './path-set.ts';

/** The paths of the replicas in the kind of a scaled object, by the kind's apiVersion: `['spec', 'replicas']`. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[]>;

const scaleApiVersion = 'autoscaling/v1';
const scaleReplicas: readonly PathElement[] = ['spec', 'replicas'];

/**
 * Computes the managedFields of a Scale from those of the scaled object: the owners of the object's replicas own the
 * Scale's (`ToSubresource` of apimachinery's `managedfields/scalehandler.go`).
 *
 * @throws Error if the object's managedFields are invalid.
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
 * Computes the managedFields of the scaled object after a request to its Scale. `scale`: the Scale's new managedFields.
 * Managers that lost the Scale's replicas lose the object's. Owners of the Scale's replicas own those of the object in
 * its version `apiVersion` (`ToParent` upstream).
 *
 * As upstream, an updater counts as another manager in the Scale's version. So a request that changes nothing splits an
 * updater's entry in two, and the entry of the replicas has no time.
 *
 * @throws Error if managedFields are invalid.
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
