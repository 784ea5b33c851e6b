import type { MutatingAdmissionPolicy, MutatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import { type FieldError, invalid, notSupported, required } from '../apimachinery.ts';
import { AdmissionCompiler, type AdmissionVariables } from './admission-compiler.ts';
import { matchConditionErrors } from './match-condition-errors.ts';
import { mutatedOperationErrors } from './match-resources-errors.ts';
import { policyVariableErrors } from './policy-variable-errors.ts';
import { hasConditionsOf, policyBindingErrors, policyErrors } from './validating-policy-errors.ts';

type Spec = NonNullable<MutatingAdmissionPolicy['spec']>;
type Mutation = NonNullable<Spec['mutations']>[number];

/** The member of a mutation that has the expression of each patch type. */
const patchMembers = { ApplyConfiguration: 'applyConfiguration', JSONPatch: 'jsonPatch' } as const;
const reinvocationPolicies = ['IfNeeded', 'Never'];

/** Source: `validateMutatingAdmissionPolicy` of `pkg/apis/admissionregistration/validation/validation.go`. */
export function mutatingPolicyErrors(
  { spec = {} }: MutatingAdmissionPolicy,
  old?: MutatingAdmissionPolicy,
): FieldError[] {
  const {
    paramKind,
    matchConstraints,
    matchConditions = [],
    variables = [],
    mutations = [],
    reinvocationPolicy,
  } = spec;
  const errors = policyErrors(spec);
  if (matchConstraints !== undefined) errors.push(...mutatedOperationErrors(matchConstraints, 'spec.matchConstraints'));
  if (old === undefined || !hasConditionsOf(spec, old.spec ?? {})) {
    errors.push(...matchConditionErrors(matchConditions, 'spec.matchConditions', { params: paramKind !== undefined }));
  }
  const compiler = new AdmissionCompiler({ composes: true });
  const declared = { params: paramKind !== undefined, authorizer: true };
  errors.push(...policyVariableErrors(variables, 'spec.variables', compiler, declared));
  if (mutations.length === 0) errors.push(required('spec.mutations', 'mutations must contain at least one item'));
  for (const [index, mutation] of mutations.entries()) {
    errors.push(...mutationErrors(mutation, `spec.mutations[${index}]`, compiler, declared));
  }
  if ((reinvocationPolicy ?? '') === '') errors.push(required('spec.reinvocationPolicy'));
  else if (!reinvocationPolicies.includes(String(reinvocationPolicy))) {
    errors.push(notSupported('spec.reinvocationPolicy', reinvocationPolicy, reinvocationPolicies));
  }
  return errors;
}

function mutationErrors(
  mutation: Mutation,
  path: string,
  compiler: AdmissionCompiler,
  declared: AdmissionVariables,
): FieldError[] {
  const { patchType } = mutation;
  if (!patchType) return [required(`${path}.patchType`)];
  if (!Object.hasOwn(patchMembers, patchType)) {
    return [notSupported(`${path}.patchType`, patchType, Object.keys(patchMembers))];
  }
  const member = patchMembers[patchType];
  const other = member === 'jsonPatch' ? 'applyConfiguration' : 'jsonPatch';
  const errors: FieldError[] = [];
  const patch = mutation[member];
  if (patch === undefined) {
    errors.push(required(`${path}.${member}`, `must be specified when patchType is ${patchType}`));
  } else {
    const at = `${path}.${member}.expression`;
    const expression = (patch.expression ?? '').trim();
    const { compiled } = compiler.compile(expression, member, { ...declared, patchTypes: true });
    if (expression === '') errors.push(required(at));
    else if ('failure' in compiled) errors.push(invalid(at, expression, compiled.failure));
  }
  if (mutation[other] !== undefined) {
    errors.push(invalid(`${path}.${other}`, `{${other}}`, `must not be specified when patchType is ${patchType}`));
  }
  return errors;
}

/** Source: `validateMutatingAdmissionPolicyBindingSpec` of the same file. */
export function mutatingPolicyBindingErrors({ spec = {} }: MutatingAdmissionPolicyBinding): FieldError[] {
  const { matchResources } = spec;
  return [
    ...policyBindingErrors(spec),
    ...(matchResources === undefined ? [] : mutatedOperationErrors(matchResources, 'spec.matchResources')),
  ];
}
