import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** What the API server's discovery says of a kind, as far as a request needs it. Pure data. */
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
 * The key under which a built-in kind's class carries its {@link ApiResource}. A registered symbol, so that two
 * copies of the package agree.
 */
export const apiResource: unique symbol = Symbol.for('evenkeel.apiResource') as never;

/** A class that stands for a kind: a built-in one, or one with `@CustomResource`. */
export interface KindClass<T extends KubernetesObject = KubernetesObject> {
  new (): T;
  readonly name: string;
  readonly [apiResource]?: ApiResource;
}

/** `v1` or `apps/v1`: the value of an object's `apiVersion`. */
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

/** `deployments.apps`, or `pods` in the core group: how kubectl and error messages name a resource. */
export function groupResourceOf(resource: Pick<ApiResource, 'group' | 'plural'>): string {
  return resource.group === '' ? resource.plural : `${resource.plural}.${resource.group}`;
}
