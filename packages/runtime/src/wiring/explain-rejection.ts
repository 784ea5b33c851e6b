import type { ApiRequest, RejectionExplainer } from '@evenkeel/client';
import { type AnyClass, type ControllerPlan, isForbidden, StatusError } from '@evenkeel/core';

export interface ExplainedOperator {
  readonly plans: readonly ControllerPlan[];
  readonly services: readonly AnyClass[];
  readonly namespaces: readonly string[] | undefined;
}

/**
 * Adds the fix to a response 403 of RBAC: the decorator to add, or, if the declarations already include the permission,
 * applying the roles. The code that derives roles is loaded with the first such response.
 */
export function explainRejection(operator: ExplainedOperator): RejectionExplainer {
  return async (rejection, request) => {
    if (!isForbidden(rejection)) return undefined;
    const fix = await fixOf(rejection.status.message ?? '', request, operator);
    return fix === undefined
      ? undefined
      : new StatusError(rejection.status, { message: `${rejection.message}; ${fix}` });
  };
}

async function fixOf(
  message: string,
  { verb, resource, namespace = '', name = '', subresource = '' }: ApiRequest,
  { plans, services, namespaces }: ExplainedOperator,
): Promise<string | undefined> {
  const rbac = await import('@evenkeel/core/rbac');
  const { group, plural } = resource;
  const asked = { verb, group, resource: plural, subresource, namespace, name };
  if (rbac.isOwnerRejected(message)) {
    return 'the roles that "evenkeel generate" writes allow it for a controller with @Owns; apply them with "kubectl apply -f config/rbac"';
  }
  const access = rbac.rejectedAccess(message, asked);
  if (access === undefined) return undefined;
  // createManager() has already reported an invalid @Rbac of a service.
  const asksFor = services.flatMap((service) => rbac.planRbac(service, () => undefined));
  const roles = rbac.deriveRoles({ plans, services: asksFor, namespaces, metricsAuthentication: true });
  if (roles.some((role) => role.part === 'metrics' && rbac.roleAllows(role, access))) {
    return 'set "metricsAuthentication: true" in defineOperator(), run "evenkeel generate" and apply config/rbac';
  }
  const nameOf = rbac.declaredKindNames(plans);
  return rbac.fixOfRejection(access, roles, (ofGroup, ofPlural) => {
    const isAsked = ofGroup === group && ofPlural === plural;
    return nameOf(ofGroup, ofPlural) ?? (isAsked ? resource.kind : undefined);
  });
}
