import { combinedResource } from '../apimachinery/index.ts';
import type { UserInfo } from '../request/user-info.ts';

/** What somebody wants to do, as the authorizer sees it: a resource's attributes, or a path's. */
export interface AccessAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly isResource: boolean;
  readonly group: string;
  readonly version: string;
  /** Empty for cluster-scoped requests. */
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty where no single object is named. */
  readonly name: string;
  /** Of requests that are no resource. */
  readonly path: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** Why, in the server's words; may be empty. */
  readonly reason: string;
  /** A role that a binding names and that is not there. */
  readonly evaluationError?: string;
}

export interface Authorizer {
  authorize(attributes: AccessAttributes): AccessDecision;
}

/** `User "ann" cannot list resource "pods" in API group "" in the namespace "demo"` (`responsewriters.ForbiddenMessage`). */
export function forbiddenMessage({ user, ...access }: AccessAttributes, reason: string): string {
  const name = JSON.stringify(user.name);
  if (!access.isResource) {
    return `User ${name} cannot ${access.verb} path ${JSON.stringify(access.path)}${reason === '' ? '' : `: ${reason}`}`;
  }
  const resource = combinedResource(access);
  const scope =
    access.namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(access.namespace)}`;
  const what = `resource ${JSON.stringify(resource)} in API group ${JSON.stringify(access.group)} ${scope}`;
  return `User ${name} cannot ${access.verb} ${what}${reason === '' ? '' : `: ${reason}`}`;
}
