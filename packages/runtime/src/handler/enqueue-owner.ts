import { type ApiResource, ObjectKey, parseApiVersion } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';

/**
 * Wakes the owner whose controller reference an object carries, or carried before an update. Group and kind must be the
 * owner's, the version need not: a reference keeps the version it was written with.
 */
export function enqueueOwner(owner: ApiResource): EventHandler {
  return (event) => {
    const keys = new Map<string, ObjectKey>();
    for (const { metadata } of versionsOf(event)) {
      const reference = metadata.ownerReferences?.find((candidate) => candidate.controller === true);
      if (reference === undefined || reference.kind !== owner.kind) continue;
      if (parseApiVersion(reference.apiVersion).group !== owner.group) continue;
      const key = new ObjectKey(reference.name, owner.namespaced ? metadata.namespace : undefined);
      keys.set(String(key), key);
    }
    return [...keys.values()];
  };
}
