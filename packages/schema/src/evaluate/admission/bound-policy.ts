import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import { copyJson, type FieldError } from '../apimachinery.ts';
import { AdmissionCompiler } from './admission-compiler.ts';
import { defaultAdmissionPolicy, defaultPolicyBinding } from './default-policy.ts';
import { mutatingPolicyBindingErrors, mutatingPolicyErrors } from './mutating-policy-errors.ts';
import { validatingPolicyBindingErrors, validatingPolicyErrors } from './validating-policy-errors.ts';

export type AnyPolicy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
export type AnyPolicyBinding = ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding;

/** Returns the errors for which the API server would reject a policy. */
export function admissionPolicyErrors(policy: AnyPolicy): FieldError[] {
  const copy = copyJson(policy);
  defaultAdmissionPolicy(copy);
  return copy.kind === 'MutatingAdmissionPolicy' ? mutatingPolicyErrors(copy) : validatingPolicyErrors(copy);
}

/** The same for a binding, without the access to its parameters. */
export function admissionPolicyBindingErrors(binding: AnyPolicyBinding): FieldError[] {
  const copy = copyJson(binding);
  defaultPolicyBinding(copy);
  return copy.kind === 'MutatingAdmissionPolicyBinding'
    ? mutatingPolicyBindingErrors(copy)
    : validatingPolicyBindingErrors(copy);
}

/** Returns the first expression of a valid policy that reads the variable `authorizer`, which exists only in the API server. */
export function expressionWithAuthorizer({ spec = {} }: AnyPolicy): string | undefined {
  const compiler = new AdmissionCompiler({ composes: true });
  const declared = { params: spec.paramKind !== undefined, patchTypes: true };
  const validations = 'validations' in spec ? (spec.validations ?? []) : [];
  const mutations = 'mutations' in spec ? (spec.mutations ?? []) : [];
  for (const { name, expression } of spec.variables ?? []) {
    if ('failure' in compiler.addVariable(name, expression, declared).compiled) return expression;
  }
  const expressions = [
    ...(spec.matchConditions ?? []).map(({ expression = '' }) => expression),
    ...validations.map(({ expression }) => expression),
    ...mutations.map(({ applyConfiguration, jsonPatch }) => (applyConfiguration ?? jsonPatch)?.expression ?? ''),
  ];
  return expressions.find((expression) => 'failure' in compiler.compile(expression, 'variable', declared).compiled);
}
