import { type OwnerReference, parseApiVersion } from '@evenkeel/core';
import { jsonEqual } from '../apimachinery/index.ts';
import type { AccessAttributes, Authorizer } from '../authorization/authorizer.ts';
import type { KindCatalog } from '../catalog/kind-catalog.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { AdmissionStep, WriteRequest } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';

/**
 * Rejects changes of owner references by users without the necessary permissions, who could otherwise cause or prevent the
 * deletion of objects (upstream's OwnerReferencesPermissionEnforcement, plugin/pkg/admission/gc). A user who changes the
 * references of an existing object must be allowed to delete it. A user who lets an object block its owner's deletion must
 * be allowed to `update` the owner's `finalizers`.
 */
export function ownerReferenceEnforcement(authorizer: Authorizer, catalog: KindCatalog): AdmissionStep {
  return ({ request, operation, name, object, current }) => {
    const { kind, subresource } = request;
    if (object === undefined || (kind.storageKey === '/pods' && subresource?.name === 'status')) return undefined;
    // A write to a subresource of a custom object does not change its metadata.
    if (kind.custom && subresource !== undefined) return undefined;
    const references = referencesOf(object);
    const before = referencesOf(current);
    if (jsonEqual(references, before)) return undefined;
    if (operation === 'UPDATE') {
      const { allowed, reason } = authorizer.authorize({
        ...attributesOf(request, name),
        verb: 'delete',
        subresource: subresource?.name ?? '',
      });
      if (!allowed) {
        throw forbidden(kind.names, name, `cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`);
      }
    }
    for (const reference of references.filter((it) => startsBlocking(it, before))) {
      refuseBlocking(request, name, reference);
    }
    return undefined;
  };

  function refuseBlocking(
    request: WriteRequest,
    name: string,
    { apiVersion, kind, name: ownerName }: OwnerReference,
  ): void {
    const { group, version } = parseApiVersion(apiVersion);
    const owner = catalog.findKind(group, version, kind);
    const why = owner === undefined ? unknownOwner(apiVersion, group, version, kind) : undefined;
    if (owner === undefined || why !== undefined) throw forbidden(request.kind.names, name, why ?? '');
    const { plural, namespaced } = owner.names;
    const { allowed, reason } = authorizer.authorize({
      ...attributesOf(request, ownerName),
      verb: 'update',
      group,
      version,
      resource: plural,
      subresource: 'finalizers',
      // A namespaced owner owns only objects of its own namespace.
      namespace: namespaced ? request.namespace : '',
    });
    if (allowed) return;
    const refused = `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${reason}, <nil>`;
    throw forbidden(request.kind.names, name, refused);
  }
}

function attributesOf({ user, kind, namespace }: WriteRequest, name: string): AccessAttributes {
  const { group, version, plural } = kind.names;
  return {
    user,
    verb: '',
    isResource: true,
    group,
    version,
    namespace,
    resource: plural,
    subresource: '',
    name,
    path: '',
  };
}

function unknownOwner(apiVersion: string, group: string, version: string, kind: string): string {
  const known = `no matches for kind ${JSON.stringify(kind)} in version ${JSON.stringify(group === '' ? version : apiVersion)}`;
  return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: ${known}`;
}

function referencesOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

function startsBlocking(reference: OwnerReference, before: readonly OwnerReference[]): boolean {
  if (reference.blockOwnerDeletion !== true) return false;
  return before.find(({ uid }) => uid === reference.uid)?.blockOwnerDeletion !== true;
}
