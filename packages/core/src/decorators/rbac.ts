import { type AnyClass, recordOf, type WatchedReference } from '../declarations/class-declarations.ts';
import type { ApiResource } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';

/** The verbs of requests on resources, and those that the server asks for by itself. */
export const resourceVerbs = [
  'get',
  'list',
  'watch',
  'create',
  'update',
  'patch',
  'delete',
  'deletecollection',
  'approve',
  'attest',
  'bind',
  'escalate',
  'impersonate',
  'sign',
  'use',
] as const;

/** The verbs of requests on paths that are no resource: HTTP's methods. */
export const pathVerbs = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options'] as const;

export type ResourceVerb = (typeof resourceVerbs)[number];
export type PathVerb = (typeof pathVerbs)[number];

/** A resource for which there is no class. `group` is empty for the core group; `namespaced` is true where left out. */
export type RbacResource = Pick<ApiResource, 'group' | 'plural'> & Partial<Pick<ApiResource, 'namespaced'>>;

/** A path of the server that is no resource, such as `/metrics`; with `*` at its end, all below it. */
export type RbacPath = `/${string}`;

export interface RbacOptions {
  /** Why, in a few words: a comment above the rule that is generated. Default: names the class or the member. */
  reason?: string;
  /** Of these objects only. Not for `create` and `deletecollection`, where the server knows no name yet. Default: all. */
  names?: readonly string[];
  /** `status`, `scale`, `eviction`, `log`, ... instead of the objects themselves. */
  subresource?: string;
  /** In this namespace only. Default: wherever the operator works, as its configuration says. */
  namespace?: string;
}

export interface RbacDeclaration extends RbacOptions {
  readonly target: WatchedReference | RbacResource | RbacPath;
  readonly verbs: readonly (ResourceVerb | PathVerb)[];
  /** The member it stands on; absent above a class. */
  readonly member?: string;
}

/** Stands above a class or a member of one. */
export type RbacDecorator = (target: object, member?: string | symbol) => void;

/**
 * Asks for a rule that the other declarations do not show: for requests through an injected Client or `context.client`, and
 * for `context.prune`, which deletes. `evenkeel generate` writes it into the operator's Role, beside what it derives. It
 * stands above a controller or a service, or above the member of one that sends the requests, as often as needed. A member
 * that a subclass declares again brings its own.
 *
 * ```ts
 * @Rbac(ConfigMap, ['get'], { reason: 'the page that an Nginx names' })
 * @Rbac(Pod, ['create'], { subresource: 'eviction' })
 * @Rbac({ group: 'metrics.k8s.io', plural: 'pods' }, ['list'])
 * ```
 *
 * The verbs are RBAC's: an `apply` is `patch`, and `create` where the object may not be there yet. `*` is refused, for
 * verbs and for resources: a role with everything is written by hand, knowingly. It grants nothing by itself.
 */
export function Rbac<T extends KubernetesObject>(
  target: WatchedReference<T> | RbacResource,
  verbs: readonly ResourceVerb[],
  options?: RbacOptions,
): RbacDecorator;
export function Rbac(
  target: RbacPath,
  verbs: readonly PathVerb[],
  options?: Pick<RbacOptions, 'reason'>,
): RbacDecorator;
export function Rbac(
  target: RbacDeclaration['target'],
  verbs: RbacDeclaration['verbs'],
  options: RbacOptions = {},
): RbacDecorator {
  return (on, member) => {
    const declaring = (typeof on === 'function' ? on : on.constructor) as AnyClass;
    const declaration = { ...options, target, verbs, ...(member === undefined ? {} : { member: String(member) }) };
    // Decorators run from the last to the first.
    recordOf(declaring).rbac.unshift(declaration);
  };
}
