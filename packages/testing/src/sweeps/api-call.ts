import type { TransportRequest } from '@evenkeel/core';

/** What a request of an operator is about, read from its path. */
export interface ApiCall {
  readonly method: TransportRequest['method'];
  readonly isWatch: boolean;
  /** Plural and group: `configmaps`, `deployments.apps`. */
  readonly resource: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
  /** The only object that a list asks for, by a field selector. */
  readonly listedName?: string | undefined;
}

/** Paths below `/api/v1` and `/apis/<group>/<version>`; anything else is a call without a resource. */
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
    listedName: /^metadata\.name=([^,]+)$/.exec(parameters.get('fieldSelector') ?? '')?.[1],
  };
}

/** `PATCH deployments.apps web/status`. */
export function describeCall({ method, isWatch, resource, name, subresource }: ApiCall): string {
  const verb = isWatch ? 'WATCH' : method;
  const target = [name, subresource].filter((part) => part !== undefined).join('/');
  return target === '' ? `${verb} ${resource}` : `${verb} ${resource} ${target}`;
}

/** Events and Leases are what an operator tells of itself and not what it makes: sweeps neither strike nor count them. */
export function isTold({ resource }: ApiCall): boolean {
  return resource === 'events' || resource === 'events.events.k8s.io' || resource === 'leases.coordination.k8s.io';
}
