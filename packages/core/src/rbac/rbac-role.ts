import { pathVerbs, resourceVerbs } from '../decorators/rbac.ts';

/** Verbs for one resource or one path, and the reasons. */
export type RbacRule = ResourceRule | PathRule;

export interface ResourceRule {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural, or the plural and the subresource: `nginxes`, `nginxes/status`. */
  readonly resource: string;
  /** Only the objects with these names; empty for all. */
  readonly names: readonly string[];
  /** In RBAC's usual order. */
  readonly verbs: readonly string[];
  /** `list, watch: NginxController reconciles Nginx` */
  readonly reasons: readonly string[];
}

export interface PathRule {
  readonly path: string;
  readonly verbs: readonly string[];
  readonly reasons: readonly string[];
}

/** The rules of one part of an operator, for one namespace or the cluster. */
export interface RbacRole {
  readonly part: 'operator' | 'leader-election' | 'metrics';
  /** The namespace of a Role; undefined for a ClusterRole. */
  readonly namespace: string | undefined;
  /** Sorted by group and resource, with paths last. */
  readonly rules: readonly RbacRule[];
}

/** The attributes of a request that an authorizer checks. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty for the objects themselves. */
  readonly subresource: string;
  /** Empty for cluster-scoped objects, and for a list or watch of all namespaces. */
  readonly namespace: string;
  /** Empty for collections, and for a create. */
  readonly name: string;
}

export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Reports whether a role allows a request, by the rule of the API server's authorizer (`rbac.RuleAllows`). */
export function roleAllows(role: RbacRole, access: Access): boolean {
  if (role.namespace !== undefined && ('path' in access || access.namespace !== role.namespace)) return false;
  return role.rules.some((rule) => ruleAllows(rule, access));
}

export function ruleAllows(rule: RbacRule, access: Access): boolean {
  if (!rule.verbs.includes(access.verb)) return false;
  if ('path' in rule || 'path' in access) {
    if (!('path' in rule && 'path' in access)) return false;
    return rule.path.endsWith('*') ? access.path.startsWith(rule.path.slice(0, -1)) : access.path === rule.path;
  }
  return (
    rule.group === access.group &&
    rule.resource === combinedResource(access) &&
    (rule.names.length === 0 || rule.names.includes(access.name))
  );
}

/** Returns the resource in the notation of rules: `nginxes/status`. */
export function combinedResource({ resource, subresource }: Pick<ResourceAccess, 'resource' | 'subresource'>): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

const verbOrder: readonly string[] = [...resourceVerbs, ...pathVerbs];

/** Returns each verb once, in the usual order with reads first. */
export function sortedVerbs(verbs: Iterable<string>): string[] {
  return [...new Set(verbs)].sort((left, right) => verbOrder.indexOf(left) - verbOrder.indexOf(right));
}
