import type { ApiRequest, RefusalExplainer } from '@evenkeel/client';
import { type AnyClass, type ControllerPlan, isForbidden, StatusError } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';

export interface ExplainedOperator {
  readonly plans: readonly ControllerPlan[];
  readonly webhooks?: readonly WebhookPlan[];
  readonly services: readonly AnyClass[];
  readonly namespaces: readonly string[] | undefined;
}

/**
 * Adds the fix to a response 403 of RBAC: the decorator to add, or, if the declarations already include the permission,
 * applying the roles. The code that derives roles is loaded with the first such response.
 */
export function explainRefusal(operator: ExplainedOperator): RefusalExplainer {
  return async (refusal, request) => {
    if (!isForbidden(refusal)) return undefined;
    const fix = await fixOf(refusal.status.message ?? '', request, operator);
    return fix === undefined ? undefined : new StatusError(refusal.status, { message: `${refusal.message}; ${fix}` });
  };
}

async function fixOf(
  message: string,
  { verb, resource, namespace = '', name = '', subresource = '' }: ApiRequest,
  { plans, webhooks = [], services, namespaces }: ExplainedOperator,
): Promise<string | undefined> {
  const rbac = await import('@evenkeel/core/rbac');
  const { group, plural } = resource;
  const asked = { verb, group, resource: plural, subresource, namespace, name };
  if (rbac.isOwnerRefused(message)) {
    return 'the roles that "evenkeel generate" writes allow it for a controller with @Owns; apply them with "kubectl apply -f config/rbac"';
  }
  const access = rbac.refusedAccess(message, asked);
  if (access === undefined) return undefined;
  // createManager() has already reported an invalid @Rbac of a service.
  const asksFor = services.flatMap((service) => rbac.planRbac(service, () => undefined));
  const roles = rbac.deriveRoles({ plans, webhooks, services: asksFor, namespaces, metricsAuthentication: true });
  if (roles.some((role) => role.part === 'metrics' && rbac.roleAllows(role, access))) {
    return 'set "metricsAuthentication: true" in defineOperator(), run "evenkeel generate" and apply config/rbac';
  }
  const nameOf = rbac.declaredKindNames(plans);
  return rbac.mendOfRefusal(access, roles, (ofGroup, ofPlural) => {
    const isAsked = ofGroup === group && ofPlural === plural;
    return nameOf(ofGroup, ofPlural) ?? (isAsked ? resource.kind : undefined);
  });
}
