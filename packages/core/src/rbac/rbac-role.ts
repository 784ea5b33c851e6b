import { type Access, type PolicyRule, ruleAllows } from '@evenkeel/apimachinery/rbac';
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

/** Whether a role allows something, as the API server's authorizer decides it (`rbac.RuleAllows`). */
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

/** Each once, reads first, as people write them. */
export function sortedVerbs(verbs: Iterable<string>): string[] {
  return [...new Set(verbs)].sort((left, right) => verbOrder.indexOf(left) - verbOrder.indexOf(right));
}
