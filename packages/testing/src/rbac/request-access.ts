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
export function blockedOwnersOf({ method, body }: Pick<TransportRequest, 'method' | 'body'>): BlockedOwner[] {
  if (method === 'GET' || method === 'DELETE' || body === undefined) return [];
  const text = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  if (!text.includes('blockOwnerDeletion')) return [];
  const references = (parsed(text) as { metadata?: { ownerReferences?: unknown } } | undefined)?.metadata
    ?.ownerReferences;
  if (!Array.isArray(references)) return [];
  return references.flatMap((reference: Record<string, unknown>) => {
    const { apiVersion, kind, name, blockOwnerDeletion } = reference;
    if (blockOwnerDeletion !== true || typeof apiVersion !== 'string') return [];
    return { group: parseApiVersion(apiVersion).group, kind: String(kind), name: String(name) };
  });
}

/** JSON is YAML too, and what is no JSON names no owners that could be read. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
