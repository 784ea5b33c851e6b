import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** The part of the API server's discovery data of a kind that requests need. */
export interface ApiResource {
  /** API group; the empty string is the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Lower-case plural, the last segment of a request's path: `deployments`. */
  readonly plural: string;
  /** False for cluster-scoped kinds. */
  readonly namespaced: boolean;
}

/**
 * The key of the {@link ApiResource} on the class of a built-in kind. It is a registered symbol, so that two copies of the
 * package share it.
 */
export const apiResource: unique symbol = Symbol.for('evenkeel.apiResource') as never;

/** The class of a kind: a built-in kind, or a class with `@CustomResource`. */
export interface KindClass<T extends KubernetesObject = KubernetesObject> {
  new (): T;
  readonly name: string;
  readonly [apiResource]?: ApiResource;
}

/** Returns the value of an object's `apiVersion`: `v1` or `apps/v1`. */
export function apiVersionOf(resource: Pick<ApiResource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** Splits an `apiVersion`. The core group is the empty string. */
export function parseApiVersion(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Returns the name of a resource in kubectl and error messages: `deployments.apps`, or `pods` in the core group. */
export function groupResourceOf(resource: Pick<ApiResource, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}
