import { goQuoteList, jsonEqual, type PolicyRule } from '../apimachinery/index.ts';
import type { RbacAuthorizer, RoleReference } from '../authorization/rbac-authorizer.ts';
import { describeRules, uncoveredRules } from '../authorization/rule-coverage.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { AdmissionRequest, ValidatingAdmissionStep } from '../registry/write-request.ts';
import { badRequest, forbidden, notFound, refusal } from '../status/refusal.ts';

const rbac = 'rbac.authorization.k8s.io';

/** All permissions, which a user must have to set or change an aggregation rule: it can collect the rules of any role. */
const fullAuthority: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

/**
 * Rejects writes of roles and bindings that would grant permissions which the user does not have. A user who writes a role must
 * have all its permissions, or the verb `escalate` on it. A user who writes a binding must have all permissions of its role, or the
 * verb `bind` on that role. Members of `system:masters` may grant everything. A write that only changes owner references and
 * finalizers is always allowed, so that the garbage collector can delete the object.
 *
 * Source: `pkg/registry/rbac/*\/policybased/storage.go`, `pkg/registry/rbac/escalation_check.go`.
 */
export function roleEscalation(authorizer: RbacAuthorizer): ValidatingAdmissionStep {
  return (admission) => {
    const { kind, user } = admission.request;
    if (kind.names.group !== rbac || user.groups.includes('system:masters')) return;
    if (kind.names.plural.endsWith('rolebindings')) checkBinding(authorizer, admission);
    else checkRole(authorizer, admission);
  };
}

function checkRole(authorizer: RbacAuthorizer, admission: AdmissionRequest): void {
  const { request, object, current } = admission;
  const { plural: resource } = request.kind.names;
  // As upstream, the path has no name for a create, so that a rule with resourceNames allows none.
  if (mayOn(authorizer, admission, { verb: 'escalate', version: '*', resource, name: request.name })) return;
  if (object === undefined || onlyForCollector(object, current)) return;
  const why = missingRights(authorizer, admission, (object['rules'] as PolicyRule[] | null | undefined) ?? []);
  if (why !== undefined) throw forbidden(request.kind.names, object.metadata.name ?? '', why);
  if (!aggregates(object) && !aggregates(current)) return;
  if (missingRights(authorizer, admission, fullAuthority) === undefined) return;
  const what = 'must have cluster-admin privileges to use the aggregationRule';
  throw forbidden(request.kind.names, object.metadata.name ?? '', what);
}

function checkBinding(authorizer: RbacAuthorizer, admission: AdmissionRequest): void {
  const { request, object, current } = admission;
  if (object === undefined || onlyForCollector(object, current)) return;
  const { kind = '', name = '' } = (object['roleRef'] ?? {}) as Partial<RoleReference>;
  const isKnown = kind === 'Role' || kind === 'ClusterRole';
  const resource = `${kind.toLowerCase()}s`;
  if (isKnown && mayOn(authorizer, admission, { verb: 'bind', version: '', resource, name })) return;
  if (!isKnown) throw refusal(500, '', `unsupported role reference kind: ${JSON.stringify(kind)}`);
  if (name === '') throw badRequest('Name parameter required.');
  const rules = authorizer.rulesOfRole({ kind, name }, request.namespace);
  // The error names the resource of the request and not that of the role.
  if (rules === undefined) throw notFound(request.kind.names, name);
  const why = missingRights(authorizer, admission, rules);
  if (why !== undefined) throw forbidden(request.kind.names, object.metadata.name ?? '', why);
}

function mayOn(
  authorizer: RbacAuthorizer,
  { request: { user, namespace } }: AdmissionRequest,
  access: { readonly verb: string; readonly version: string; readonly resource: string; readonly name: string },
): boolean {
  const attributes = { user, isResource: true, group: rbac, namespace, subresource: '', path: '', ...access };
  return authorizer.authorize(attributes).allowed;
}

/** Why the user may not grant the rules; undefined if the user has all of them. */
function missingRights(
  authorizer: RbacAuthorizer,
  { request: { user, namespace, kind } }: AdmissionRequest,
  wanted: readonly PolicyRule[],
): string | undefined {
  const { rules, missingRoles } = authorizer.rulesFor(user, namespace);
  const missing = uncoveredRules(rules, wanted);
  if (missing.length === 0) return undefined;
  const who = `user ${JSON.stringify(user.name)} (groups=${goQuoteList(user.groups)})`;
  const what = `${who} is attempting to grant RBAC permissions not currently held:\n${describeRules(missing).join('\n')}`;
  const errors = [...new Set(missingRoles.map((name) => notFound(kind.names, name).status.message))];
  if (errors.length === 0) return what;
  return `${what}; resolution errors: [${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}]`;
}

function aggregates(object: ApiObject | undefined): boolean {
  const { clusterRoleSelectors = [] } = (object?.['aggregationRule'] ?? {}) as { clusterRoleSelectors?: unknown[] };
  return clusterRoleSelectors.length > 0;
}

/** `rbac.IsOnlyMutatingGCFields`. */
function onlyForCollector(object: ApiObject, current: ApiObject | undefined): boolean {
  if (current === undefined) return false;
  const { ownerReferences, finalizers, managedFields } = current.metadata;
  const metadata = { ...object.metadata, ownerReferences, finalizers, managedFields };
  return jsonEqual(
    { ...object, metadata },
    { ...current, metadata: { ...current.metadata, ownerReferences, finalizers, managedFields } },
  );
}
