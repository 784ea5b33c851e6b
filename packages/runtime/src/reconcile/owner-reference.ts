import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  type KubernetesObject,
  ObjectKey,
  type OwnerReference,
} from '@evenkeel/core';

/**
 * The controller reference by which `owner` owns a child. Throws `owner-reference-refused` where the garbage collector
 * would not honour it: an owner with a namespace owns only objects of that namespace, and a reference names no namespace
 * (Kubernetes docs, "Owners and Dependents").
 */
export function ownerReferenceTo(
  owner: KubernetesObject,
  ownerResource: ApiResource,
  childResource: ApiResource,
  child: ObjectKey,
): OwnerReference {
  const { name, uid, namespace } = owner.metadata;
  const refuse = (why: string): EvenkeelError =>
    new EvenkeelError(
      'owner-reference-refused',
      `${ownerResource.kind} ${ObjectKey.of(owner)} cannot own ${childResource.kind} ${child}: ${why}`,
    );
  if (namespace !== undefined && !childResource.namespaced) {
    throw refuse('an object with a namespace cannot own a cluster-scoped one; delete it in a finalizer instead');
  }
  if (namespace !== undefined && namespace !== child.namespace) {
    throw refuse(`they are in different namespaces; create it in ${namespace}, or delete it in a finalizer instead`);
  }
  if (childResource.namespaced && child.namespace === undefined) {
    throw refuse('the child has no namespace; set metadata.namespace');
  }
  if (uid === undefined) throw refuse('the owner has no uid; it must be an object read from the server');
  return {
    apiVersion: apiVersionOf(ownerResource),
    kind: ownerResource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
