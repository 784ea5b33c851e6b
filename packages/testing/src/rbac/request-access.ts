import { requestInfoOf } from '@evenkeel/apiserver';
import { parseApiVersion, type TransportRequest } from '@evenkeel/core';
import type { Access } from '@evenkeel/core/rbac';

/** Returns the permission that a request needs, derived from its path as in the API server. */
export function accessOf({ method, path }: Pick<TransportRequest, 'method' | 'path'>): Access {
  const { pathname, searchParams } = new URL(path, 'http://server');
  const { isResource, verb, group, resource, subresource, namespace, name } = requestInfoOf(
    method,
    pathname,
    searchParams,
  );
  if (!isResource) return { verb, path: pathname };
  // For a Namespace object, the path contains its name as the namespace too, and so does the authorizer's request.
  return { verb, group, resource, subresource, namespace, name };
}

/** An owner whose deletion a written object blocks. */
export interface BlockedOwner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * Returns the owners that a write names with `blockOwnerDeletion`. If the admission plugin
 * OwnerReferencesPermissionEnforcement is enabled, the writer needs `update` of their `finalizers`.
 */
export function blockedOwnersOf(request: Pick<TransportRequest, 'method' | 'body'>): BlockedOwner[] {
  return (ownersOf(request) ?? []).flatMap((reference) => {
    const { apiVersion, kind, name, blockOwnerDeletion } = reference;
    if (blockOwnerDeletion !== true || typeof apiVersion !== 'string') return [];
    return { group: parseApiVersion(apiVersion).group, kind: String(kind), name: String(name) };
  });
}

/**
 * Whether a write changes an object's owners: a patch that is not an apply, because an apply repeats the owners. The
 * same plugin then requires `delete` of the object.
 */
export function changesOwners({ method, headers, body }: TransportRequest): boolean {
  if (method !== 'PATCH' || headers?.['content-type']?.includes('apply') === true) return false;
  return ownersOf({ method, ...(body === undefined ? {} : { body }) }) !== undefined;
}

/** Returns the owner references in the body of a write; undefined if there are none. */
function ownersOf({ method, body }: Pick<TransportRequest, 'method' | 'body'>): Record<string, unknown>[] | undefined {
  if (method === 'GET' || method === 'DELETE' || body === undefined) return undefined;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (!text.includes('ownerReferences')) return undefined;
  const { metadata } = (parsed(text) ?? {}) as { metadata?: { ownerReferences?: unknown } };
  return Array.isArray(metadata?.ownerReferences) ? metadata.ownerReferences : undefined;
}

/** A body that is not JSON has no owners that could be read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
