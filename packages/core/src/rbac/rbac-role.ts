import { type Access, type PolicyRule, ruleAllows } from '@evenkeel/apimachinery/rbac';
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
  readonly part: 'operator' | 'leader-election' | 'metrics' | 'certificates';
  /** The namespace of a Role; undefined for a ClusterRole. */
  readonly namespace: string | undefined;
  /** Sorted by group and resource, with paths last. */
  readonly rules: readonly RbacRule[];
}

/** Reports whether a role allows a request, by the rule of the API server's authorizer (`rbac.RuleAllows`). */
export function roleAllows(role: RbacRole, access: Access): boolean {
  if (role.namespace !== undefined && ('path' in access || access.namespace !== role.namespace)) return false;
  return role.rules.some((rule) => ruleAllows(policyRuleOf(rule), access));
}

/** A rule as `rbac.authorization.k8s.io/v1` has it. */
export function policyRuleOf(rule: RbacRule): PolicyRule & { readonly verbs: readonly string[] } {
  if ('path' in rule) return { nonResourceURLs: [rule.path], verbs: rule.verbs };
  const { group, resource, names, verbs } = rule;
  return { apiGroups: [group], resources: [resource], ...(names.length === 0 ? {} : { resourceNames: names }), verbs };
}

const verbOrder: readonly string[] = [...resourceVerbs, ...pathVerbs];

/** Returns each verb once, in the usual order with reads first. */
export function sortedVerbs(verbs: Iterable<string>): string[] {
  return [...new Set(verbs)].sort((left, right) => verbOrder.indexOf(left) - verbOrder.indexOf(right));
}
