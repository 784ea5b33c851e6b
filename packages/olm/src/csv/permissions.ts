import type { PolicyRule } from '@evenkeel/apimachinery/rbac';
import { policyRuleOf, type RbacRole } from '@evenkeel/core/rbac';

/** The permissions of an operator as a ClusterServiceVersion has them. */
export interface InstallPermissions {
  /** What OLM grants in the namespaces for which it installs the operator, and in that of its pods. */
  readonly permissions: readonly PolicyRule[];
  /** What OLM grants in the whole cluster. */
  readonly clusterPermissions: readonly PolicyRule[];
  /** The fixed namespaces whose rules OLM can only grant in the whole cluster. */
  readonly widened: readonly string[];
}

/**
 * Distributes the rules of roles. OLM knows no roles for a fixed namespace, so their rules become cluster-wide.
 *
 * @param inScope the namespaces that stand for those that OLM chooses.
 */
export function installPermissions(roles: readonly RbacRole[], inScope: readonly string[]): InstallPermissions {
  const isScoped = ({ namespace }: RbacRole): boolean => namespace !== undefined && inScope.includes(namespace);
  const fixed = roles.filter((role) => role.namespace !== undefined && !isScoped(role));
  return {
    permissions: rulesOf(roles.filter(isScoped)),
    clusterPermissions: rulesOf(roles.filter((role) => !isScoped(role))),
    widened: [...new Set(fixed.map(({ namespace }) => namespace ?? ''))].sort(),
  };
}

function rulesOf(roles: readonly RbacRole[]): PolicyRule[] {
  const rules = roles.flatMap((role) => role.rules.map(policyRuleOf));
  return [...new Map(rules.map((rule) => [JSON.stringify(rule), rule])).values()];
}
