import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import type { ParamKind } from '@evenkeel/schema/evaluate';
import { type FieldError, forbidden, jsonEqual } from '../../apimachinery/index.ts';
import type { StrategyContext } from '../../kind/strategy.ts';

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type Binding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/**
 * Who writes a policy must be able to read its parameters. Source: `authz.go` in
 * `pkg/registry/admissionregistration/validatingadmissionpolicy`.
 */
export function paramKindRefusal(context: StrategyContext, { spec }: Policy, old?: Policy): readonly FieldError[] {
  const paramKind = spec?.paramKind;
  if (paramKind === undefined || jsonEqual(old?.spec?.paramKind, paramKind)) return [];
  const resource = resourceOf(context, paramKind);
  if (context.allows({ ...resource, verb: 'get', namespace: '*', name: '*' })) return [];
  const { kind, apiVersion } = paramKind;
  const what = `the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  const why = `user ${shownUser(context)} must have "get" permission on all objects of ${what}`;
  return [forbidden('spec.paramKind', why)];
}

/** The same for a binding: `authz.go` in `pkg/registry/admissionregistration/validatingadmissionpolicybinding`. */
export function paramRefRefusal(
  context: StrategyContext,
  { spec }: Binding,
  policies: 'validatingadmissionpolicies' | 'mutatingadmissionpolicies',
  old?: Binding,
): readonly FieldError[] {
  const { paramRef, policyName = '' } = spec ?? {};
  if (paramRef === undefined) return [];
  if (jsonEqual(old?.spec?.paramRef, paramRef) && old?.spec?.policyName === policyName) return [];
  const policy = context.lookup({ group: 'admissionregistration.k8s.io', plural: policies }, undefined, policyName);
  const paramKind = (policy as Policy | undefined)?.spec?.paramKind;
  const resource = paramKind === undefined ? anyResource : resourceOf(context, paramKind);
  const { name = '', namespace = '' } = paramRef;
  const verb = name === '' ? 'list' : 'get';
  if (context.allows({ ...resource, verb, namespace, name })) return [];
  const user = shownUser(context);
  const all = `user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) {
    const why = `unable to get policy ${policyName} to determine minimum required permissions and ${all}`;
    return [forbidden('spec.paramRef', why)];
  }
  if (paramKind !== undefined && resource.resource === '*') {
    const shown = `&ParamKind{APIVersion:${paramKind.apiVersion},Kind:${paramKind.kind},}`;
    const why = `unable to resolve paramKind ${shown} to determine minimum required permissions and ${all}`;
    return [forbidden('spec.paramRef', why)];
  }
  const why = `user ${user} does not have "${verb}" permission on the object referenced by paramRef`;
  return [forbidden('spec.paramRef', why)];
}

const anyResource = { group: '*', version: '*', resource: '*' } as const;

function resourceOf(context: StrategyContext, { apiVersion = '', kind = '' }: ParamKind) {
  const slash = apiVersion.indexOf('/');
  const group = slash < 0 ? '' : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  return { group, version, resource: context.resourceOf({ group, version, kind }) ?? '*' };
}

/** The user as Go prints a pointer to `user.DefaultInfo`. */
function shownUser({ user: { name, uid = '', groups, extra = {} } }: StrategyContext): string {
  const extras = Object.keys(extra).sort();
  return `&{${name} ${uid} [${groups.join(' ')}] map[${extras.map((key) => `${key}:[${extra[key]?.join(' ')}]`).join(' ')}]}`;
}
