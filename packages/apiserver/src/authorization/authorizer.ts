import { combinedResource } from '../apimachinery/index.ts';
import type { UserInfo } from '../request/user-info.ts';

/** A requested access, as the authorizer sees it: the attributes of a resource or of a path. */
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
  /** Empty if the request does not name a single object. */
  readonly name: string;
  /** The path of a non-resource request. */
  readonly path: string;
}

export interface AccessDecision {
  readonly allowed: boolean;
  /** The reason in the authorizer's words; may be empty. */
  readonly reason: string;
  /** Reports a role that a binding refers to and that does not exist. */
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
