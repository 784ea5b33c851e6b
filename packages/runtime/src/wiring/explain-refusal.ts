import type { ApiRequest, RefusalExplainer } from '@evenkeel/client';
import { type AnyClass, type ControllerPlan, isForbidden, StatusError } from '@evenkeel/core';

export interface ExplainedOperator {
  readonly plans: readonly ControllerPlan[];
  readonly services: readonly AnyClass[];
  readonly namespaces: readonly string[] | undefined;
}

/**
 * Adds to what RBAC refuses what would allow it: the decorator to add, or, where the declarations show the need already,
 * that the roles are to be brought to the cluster. The derivation is loaded with the first refusal.
 */
export function explainRefusal(operator: ExplainedOperator): RefusalExplainer {
  return async (refusal, request) => {
    if (!isForbidden(refusal)) return undefined;
    const mend = await mendOf(refusal.status.message ?? '', request, operator);
    return mend === undefined ? undefined : new StatusError(refusal.status, { message: `${refusal.message}; ${mend}` });
  };
}

async function mendOf(
  message: string,
  { verb, resource, namespace = '', name = '', subresource = '' }: ApiRequest,
  { plans, services, namespaces }: ExplainedOperator,
): Promise<string | undefined> {
  const rbac = await import('@evenkeel/core/rbac');
  const { group, plural } = resource;
  const asked = { verb, group, resource: plural, subresource, namespace, name };
  if (rbac.isOwnerRefused(message)) {
    return 'the roles that "evenkeel generate" writes let a controller with @Owns do so: bring them to the cluster with "kubectl apply -f config/rbac"';
  }
  const access = rbac.refusedAccess(message, asked);
  if (access === undefined) return undefined;
  // A wrong @Rbac of a service is told when the manager is made.
  const asksFor = services.flatMap((service) => rbac.planRbac(service, () => undefined));
  const roles = rbac.deriveRoles({ plans, services: asksFor, namespaces, metricsAuthentication: true });
  if (roles.some((role) => role.part === 'metrics' && rbac.roleAllows(role, access))) {
    return 'say "metricsAuthentication: true" of "rbac" in evenkeel.config.ts, run "evenkeel generate" and apply config/rbac';
  }
  const nameOf = rbac.declaredKindNames(plans);
  return rbac.mendOfRefusal(access, roles, (ofGroup, ofPlural) => {
    const isAsked = ofGroup === group && ofPlural === plural;
    return nameOf(ofGroup, ofPlural) ?? (isAsked ? resource.kind : undefined);
  });
}
