import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import type { MatchResources } from './match-resources-errors.ts';

/** Adds the API server's defaults to a policy. Source: `pkg/apis/admissionregistration/v1/defaults.go`. */
export function defaultAdmissionPolicy({ spec }: ValidatingAdmissionPolicy | MutatingAdmissionPolicy): void {
  if (spec === undefined) return;
  spec.failurePolicy ??= 'Fail';
  if (spec.matchConstraints !== undefined) defaultMatchResources(spec.matchConstraints);
}

/** The same for a binding. */
export function defaultPolicyBinding({
  spec,
}: ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding): void {
  if (spec?.matchResources !== undefined) defaultMatchResources(spec.matchResources);
}

function defaultMatchResources(match: MatchResources): void {
  match.matchPolicy ??= 'Equivalent';
  match.namespaceSelector ??= {};
  match.objectSelector ??= {};
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) rule.scope ??= '*';
}
