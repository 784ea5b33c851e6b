import type { ManagedFieldsEntry } from '@evenkeel/core';
import { decodeManagers, encodeManagers, isSameManager, type Manager, withManager } from './manager.ts';
import type { PathElement } from './path-element.ts';
import { PathSet } from './path-set.ts';

/** Where the kind of a scaled object keeps its replicas, by the kind's apiVersion: `['spec', 'replicas']`. */
export type ReplicasPaths = ReadonlyMap<string, readonly PathElement[]>;

const scaleApiVersion = 'autoscaling/v1';
const scaleReplicas: readonly PathElement[] = ['spec', 'replicas'];

/**
 * The managedFields of a Scale, out of those of the object that it scales: whoever owns the object's replicas owns the
 * Scale's (`ToSubresource` of apimachinery's `managedfields/scalehandler.go`).
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
 * The managedFields of the scaled object after a change of its Scale: who lost the Scale's replicas loses the object's,
 * and a new owner of them becomes one of the object's in its version `apiVersion` (`ToParent` upstream).
 *
 * Difference: a new owner keeps the time of its change; upstream's entry has none, unless the object knew the manager.
 */
export function parentManagedFields(
  parent: unknown,
  scale: unknown,
  apiVersion: string,
  paths: ReplicasPaths,
): ManagedFieldsEntry[] | undefined {
  let scaleManagers = decodeManagers(scale);
  let managers: Manager[] = [];
  for (const manager of decodeManagers(parent)) {
    if (!paths.has(manager.apiVersion)) continue;
    const path = paths.get(manager.apiVersion) ?? [];
    if (!manager.set.has(path)) {
      managers.push(manager);
      continue;
    }
    const kept = scaleManagers.find((other) => isSameManager(other, { ...manager, apiVersion: other.apiVersion }));
    if (kept !== undefined) {
      managers.push(manager);
      scaleManagers = scaleManagers.filter((other) => other !== kept);
      continue;
    }
    const set = manager.set.difference(PathSet.of(path));
    if (!set.isEmpty) managers.push({ ...manager, set });
  }
  const path = paths.get(apiVersion);
  for (const manager of scaleManagers) {
    if (path === undefined || !manager.set.has(scaleReplicas)) continue;
    managers = withManager(managers, { ...manager, apiVersion, set: PathSet.of(path) });
  }
  return encodeManagers(managers);
}
