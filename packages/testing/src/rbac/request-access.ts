import { requestInfoOf } from '@evenkeel/apiserver';
import { parseApiVersion, type TransportRequest } from '@evenkeel/core';
import type { Access } from '@evenkeel/core/rbac';

/** What a request asks of an authorizer, read off its path as the API server does it. */
export function accessOf({ method, path }: Pick<TransportRequest, 'method' | 'path'>): Access {
  const { pathname, searchParams } = new URL(path, 'http://server');
  const { isResource, verb, group, resource, subresource, namespace, name } = requestInfoOf(
    method,
    pathname,
    searchParams,
  );
  if (!isResource) return { verb, path: pathname };
  // Of a namespace, the path tells its own name as the namespace too, and authorizers are asked about that.
  return { verb, group, resource, subresource, namespace, name };
}

/** An owner whose deletion a written object is to hold back. */
export interface BlockedOwner {
  readonly group: string;
  readonly kind: string;
  readonly name: string;
}

/**
 * The owners that a write names with `blockOwnerDeletion`. Where the admission plugin OwnerReferencesPermissionEnforcement
 * is on, the server asks whether the writer may `update` their `finalizers`.
 */
export function blockedOwnersOf(request: Pick<TransportRequest, 'method' | 'body'>): BlockedOwner[] {
  return (ownersOf(request) ?? []).flatMap((reference) => {
    const { apiVersion, kind, name, blockOwnerDeletion } = reference;
    if (blockOwnerDeletion !== true || typeof apiVersion !== 'string') return [];
    return { group: parseApiVersion(apiVersion).group, kind: String(kind), name: String(name) };
  });
}

/**
 * Whether a write seems to be there to change an object's owners: a patch that is no apply, for that repeats them. The same
 * plugin asks whether who does so may delete the object.
 */
export function changesOwners({ method, headers, body }: TransportRequest): boolean {
  if (method !== 'PATCH' || headers?.['content-type']?.includes('apply') === true) return false;
  return ownersOf({ method, ...(body === undefined ? {} : { body }) }) !== undefined;
}

/** The owner references in the body of a write; undefined where it names none. */
function ownersOf({ method, body }: Pick<TransportRequest, 'method' | 'body'>): Record<string, unknown>[] | undefined {
  if (method === 'GET' || method === 'DELETE' || body === undefined) return undefined;
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (!text.includes('ownerReferences')) return undefined;
  const { metadata } = (parsed(text) ?? {}) as { metadata?: { ownerReferences?: unknown } };
  return Array.isArray(metadata?.ownerReferences) ? metadata.ownerReferences : undefined;
}

/** What is no JSON names no owners that could be read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
