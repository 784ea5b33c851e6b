import {
  type ApiResource,
  apiVersionOf,
  EvenkeelError,
  type KubernetesObject,
  ObjectKey,
  type OwnerReference,
} from '@evenkeel/core';

/**
 * Returns the controller owner reference from a child to `owner`. Throws `owner-reference-refused` if the garbage collector
 * would not accept it: a reference has no namespace, so a namespaced owner can own only objects of its namespace (Kubernetes
 * docs, "Owners and Dependents").
 */
export function ownerReferenceTo(
  owner: KubernetesObject,
  ownerResource: ApiResource,
  childResource: ApiResource,
  child: ObjectKey,
): OwnerReference {
  const { name, uid, namespace } = owner.metadata;
  const invalid = (why: string): EvenkeelError =>
    new EvenkeelError(
      'owner-reference-refused',
      `${ownerResource.kind} ${ObjectKey.of(owner)} cannot own ${childResource.kind} ${child}: ${why}`,
    );
  if (namespace !== undefined && !childResource.namespaced) {
    throw invalid('a namespaced object cannot own a cluster-scoped one; delete it in a finalizer instead');
  }
  if (namespace !== undefined && namespace !== child.namespace) {
    throw invalid(`they are in different namespaces; create it in ${namespace}, or delete it in a finalizer instead`);
  }
  if (childResource.namespaced && child.namespace === undefined) {
    throw invalid('the child has no namespace; set metadata.namespace');
  }
  if (uid === undefined) throw invalid('the owner has no uid; it must be an object read from the server');
  return {
    apiVersion: apiVersionOf(ownerResource),
    kind: ownerResource.kind,
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
}
