import type { ApiResource, LogKeys, ObjectKey } from '@evenkeel/core';

/**
 * The keys of each log line about a controller, with the names of controller-runtime (pkg/builder/controller.go). As there, the
 * core group is the empty string.
 */
export function controllerKeys(controller: string, { group, kind }: ApiResource): LogKeys {
  return { controller, controllerGroup: group, controllerKind: kind };
}

/**
 * The additional keys of each log line about a run: the object under its kind, as in `Nginx: { name, namespace }`, its
 * namespace, its name, and an id of the run. The namespace of a cluster-scoped object is the empty string.
 */
export function reconcileKeys({ kind }: ApiResource, { name, namespace }: ObjectKey, reconcileID: string): LogKeys {
  const reference = namespace === undefined ? { name } : { name, namespace };
  return { [kind]: reference, namespace: namespace ?? '', name, reconcileID };
}
