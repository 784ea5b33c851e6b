import type { RequestedKind } from '@evenkeel/client';
import type { TransportRequest } from '@evenkeel/core';
import { groupResourceOf } from '@evenkeel/core';
import { resourceOfKind } from './resource-of-kind.ts';

/** The target of an operator's request, read from its path. */
export interface ApiCall {
  readonly method: TransportRequest['method'];
  readonly isWatch: boolean;
  /** Plural and group: `configmaps`, `deployments.apps`. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** Whether it reads what the server serves, such as discovery and OpenAPI documents, and no objects. */
  readonly isAboutServer: boolean;
  /** The name in the field selector of a list, if it selects a single object. */
  readonly listedName?: string | undefined;
}

/** Parses paths below `/api/v1` and `/apis/<group>/<version>`; any other path is a call without a resource. */
export function apiCallOf({ method, path }: Pick<TransportRequest, 'method' | 'path'>): ApiCall {
  const [route = '', query = ''] = path.split('?');
  const [root, ...segments] = route.split('/').filter((segment) => segment !== '');
  const group = root === 'apis' ? segments[0] : undefined;
  const rest = segments.slice(root === 'apis' ? 2 : 1);
  const isBelowNamespace = rest[0] === 'namespaces' && rest.length > 2;
  const [plural = route, name, subresource] = isBelowNamespace ? rest.slice(2) : rest;
  const parameters = new URLSearchParams(query);
  return {
    method,
    isWatch: parameters.get('watch') === 'true' || parameters.get('watch') === '1',
    resource: group === undefined ? plural : `${plural}.${group}`,
    name,
    subresource,
    isAboutServer: !/^\/(?:api\/[^/]+|apis\/[^/]+\/[^/]+)\/./.test(route),
    listedName: /^metadata\.name=([^,]+)$/.exec(parameters.get('fieldSelector') ?? '')?.[1],
  };
}

/** Returns a description such as `PATCH deployments.apps web/status`. */
export function describeCall({ method, isWatch, resource, name, subresource }: ApiCall): string {
  const verb = isWatch ? 'WATCH' : method;
  const target = [name, subresource].filter((part) => part !== undefined).join('/');
  return target === '' ? `${verb} ${resource}` : `${verb} ${resource} ${target}`;
}

/** The resource of locks, and of the leader election. */
export const leases = 'leases.coordination.k8s.io';

/**
 * Whether a call is for Events or Leases, which usually report about the operator itself, or about the server, which an operator asks
 * whenever its watches are opened. Sweeps neither count them nor apply faults to them. If an operator uses Leases to lock something, they
 * are among the `kinds` of the sweep, and count.
 */
export function isReport({ resource, isAboutServer }: ApiCall, kinds: readonly RequestedKind[]): boolean {
  if (isAboutServer) return true;
  if (resource === 'events' || resource === 'events.events.k8s.io') return true;
  return resource === leases && !kinds.some((kind) => groupResourceOf(resourceOfKind(kind)) === leases);
}
