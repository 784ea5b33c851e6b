import { type ApiResource, ObjectKey, parseApiVersion } from '@evenkeel/core';
import { type EventHandler, versionsOf } from './event-handler.ts';

/**
 * Enqueues the owner in an object's controller reference, and the one in the reference before an update. Group and kind must
 * match. The version may differ, because a reference keeps the version with which it was written.
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
