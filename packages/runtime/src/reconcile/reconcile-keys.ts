import type { ApiResource, LogKeys, ObjectKey } from '@evenkeel/core';

/**
 * What every line about a controller says, by controller-runtime's keys (pkg/builder/controller.go). The core group is the
 * empty text, as there.
 */
export function controllerKeys(controller: string, { group, kind }: ApiResource): LogKeys {
  return { controller, controllerGroup: group, controllerKind: kind };
}

/**
 * What every line about a run says beside that: the object under its kind, `Nginx: { name, namespace }`, its namespace and
 * name by themselves, and an id of the run. The namespace of a cluster-scoped object is the empty text.
 */
export function reconcileKeys({ kind }: ApiResource, { name, namespace }: ObjectKey, reconcileID: string): LogKeys {
  const reference = namespace === undefined ? { name } : { name, namespace };
  return { [kind]: reference, namespace: namespace ?? '', name, reconcileID };
}
