import { pathVerbs, resourceVerbs } from '../decorators/rbac.ts';

/** Verbs on one resource, or on one path, and why they are needed. */
export type RbacRule = ResourceRule | PathRule;

export interface ResourceRule {
  /** Empty for the core group. */
  readonly group: string;
  /** The plural, with a slash and the subresource where the rule is about that: `nginxes/status`. */
  readonly resource: string;
  /** Of these objects only; empty for all. */
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

/** Rules that hold at one place, for one part of an operator. */
export interface RbacRole {
  readonly part: 'operator' | 'leader-election' | 'metrics';
  /** Where they hold, as a Role; undefined everywhere, as a ClusterRole. */
  readonly namespace: string | undefined;
  /** Sorted by group and resource, paths last. */
  readonly rules: readonly RbacRule[];
}

/** One request, as an authorizer sees it. */
export type Access = ResourceAccess | PathAccess;

export interface ResourceAccess {
  readonly verb: string;
  readonly group: string;
  /** The plural. */
  readonly resource: string;
  /** Empty where it is about the objects themselves. */
  readonly subresource: string;
  /** Empty for cluster-scoped objects, and for a list or watch of all namespaces. */
  readonly namespace: string;
  /** Empty for collections, and for objects that are to be created. */
  readonly name: string;
}

export interface PathAccess {
  readonly verb: string;
  readonly path: string;
}

/** Whether a role allows something, as the API server's authorizer decides it (`rbac.RuleAllows`). */
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

/** `nginxes/status`, as rules write it. */
export function combinedResource({ resource, subresource }: Pick<ResourceAccess, 'resource' | 'subresource'>): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

const verbOrder: readonly string[] = [...resourceVerbs, ...pathVerbs];

/** Each once, reads first, as people write them. */
export function sortedVerbs(verbs: Iterable<string>): string[] {
  return [...new Set(verbs)].sort((left, right) => verbOrder.indexOf(left) - verbOrder.indexOf(right));
}
