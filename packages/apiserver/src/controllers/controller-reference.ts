import type { KubernetesObject, OwnerReference } from '@evenkeel/core';

/** The owner reference of an object's controller. An object has at most one. */
export function controllerOf(object: KubernetesObject): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller === true);
}

export function isControlledBy(object: KubernetesObject, owner: KubernetesObject): boolean {
  return controllerOf(object)?.uid === owner.metadata.uid;
}

/** A controller reference to `owner`. The garbage collector deletes the child together with its owner. */
export function controllerReferenceTo(owner: KubernetesObject): OwnerReference {
  return {
    apiVersion: owner.apiVersion,
    kind: owner.kind,
    name: owner.metadata.name,
    uid: owner.metadata.uid ?? '',
    controller: true,
    blockOwnerDeletion: true,
  };
}

/** `namespace/name`. */
export function keyOf(object: KubernetesObject): string {
  return `${object.metadata.namespace ?? ''}/${object.metadata.name}`;
}

export function splitKey(key: string): { namespace: string | undefined; name: string } {
  const slash = key.indexOf('/');
  return { namespace: slash === 0 ? undefined : key.slice(0, slash), name: key.slice(slash + 1) };
}
