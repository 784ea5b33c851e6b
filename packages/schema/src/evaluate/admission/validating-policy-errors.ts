import type { ValidatingAdmissionPolicy, ValidatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import {
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  notSupported,
  required,
} from '../apimachinery.ts';
import { AdmissionCompiler, type AdmissionVariables } from './admission-compiler.ts';
import { matchConditionErrors } from './match-condition-errors.ts';
import { matchResourcesErrors } from './match-resources-errors.ts';
import { paramKindErrors, paramRefErrors } from './policy-parameter-errors.ts';
import { policyVariableErrors } from './policy-variable-errors.ts';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type Validation = NonNullable<Spec['validations']>[number];
type AuditAnnotation = NonNullable<Spec['auditAnnotations']>[number];

const auditAnnotationsMax = 20;
const valueExpressionBytesMax = 5 * 1024;
const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];
const actions = ['Audit', 'Deny', 'Warn'];

/** Source: `validateValidatingAdmissionPolicy` of `pkg/apis/admissionregistration/validation/validation.go`. */
export function validatingPolicyErrors(
  { metadata, spec = {} }: ValidatingAdmissionPolicy,
  old?: ValidatingAdmissionPolicy,
): FieldError[] {
  const { paramKind, matchConditions = [], variables = [], validations = [], auditAnnotations = [] } = spec;
  const errors = policyErrors(spec);
  if (old === undefined || !hasConditionsOf(spec, old.spec ?? {})) {
    errors.push(...matchConditionErrors(matchConditions, 'spec.matchConditions', { params: paramKind !== undefined }));
  }
  const compiler = new AdmissionCompiler({ composes: variables.length > 0 });
  const declared = { params: paramKind !== undefined, authorizer: true };
  errors.push(...policyVariableErrors(variables, 'spec.variables', compiler, declared));
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [...errors, required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  for (const [index, validation] of validations.entries()) {
    errors.push(...validationErrors(validation, `spec.validations[${index}]`, compiler, declared));
  }
  errors.push(...auditAnnotationsErrors(auditAnnotations, metadata.name ?? '', compiler, declared));
  return errors;
}

/** The errors in the members that validating and mutating policies have in common, up to the match constraints. */
export function policyErrors({
  failurePolicy,
  paramKind,
  matchConstraints,
}: Pick<Spec, 'failurePolicy' | 'paramKind' | 'matchConstraints'>): FieldError[] {
  const errors: FieldError[] = [];
  const policies = ['Fail', 'Ignore'];
  if (failurePolicy === undefined) errors.push(required('spec.failurePolicy'));
  else if (!policies.includes(failurePolicy)) {
    errors.push(notSupported('spec.failurePolicy', failurePolicy, policies));
  }
  if (paramKind !== undefined) errors.push(...paramKindErrors(paramKind, 'spec.paramKind'));
  if (matchConstraints === undefined) return [...errors, required('spec.matchConstraints')];
  errors.push(...matchResourcesErrors(matchConstraints, 'spec.matchConstraints'));
  if ((matchConstraints.resourceRules ?? []).length === 0) {
    errors.push(required('spec.matchConstraints.resourceRules'));
  }
  return errors;
}

/** Whether an update changes nothing that can make match conditions invalid; then they are not checked again. */
export function hasConditionsOf(
  spec: Pick<Spec, 'paramKind' | 'matchConditions'>,
  old: Pick<Spec, 'paramKind' | 'matchConditions'>,
): boolean {
  return jsonEqual(spec.paramKind, old.paramKind) && jsonEqual(spec.matchConditions ?? [], old.matchConditions ?? []);
}

function validationErrors(
  { expression = '', message = '', messageExpression = '', reason }: Validation,
  path: string,
  compiler: AdmissionCompiler,
  declared: AdmissionVariables,
): FieldError[] {
  const errors: FieldError[] = [];
  if (expression.trim() === '') errors.push(required(`${path}.expression`, 'expression is not specified'));
  else {
    const { compiled } = compiler.compile(expression, 'condition', declared);
    if ('failure' in compiled) errors.push(invalid(`${path}.expression`, expression, compiled.failure));
  }
  const empty = 'must be non-empty if specified';
  if (messageExpression.trim() !== '') {
    const { compiled } = compiler.compile(messageExpression, 'message', { ...declared, authorizer: false });
    if ('failure' in compiled) {
      errors.push(invalid(`${path}.messageExpression`, messageExpression, compiled.failure));
    }
  } else if (messageExpression !== '') errors.push(invalid(`${path}.messageExpression`, messageExpression, empty));
  if (message !== '' && message.trim() === '') errors.push(invalid(`${path}.message`, message, empty));
  else if (/[\n\r]/.test(message.trim())) {
    errors.push(invalid(`${path}.message`, message, 'must not contain line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) errors.push(notSupported(`${path}.reason`, reason, reasons));
  return errors;
}

function auditAnnotationsErrors(
  annotations: readonly AuditAnnotation[],
  policy: string,
  compiler: AdmissionCompiler,
  declared: AdmissionVariables,
): FieldError[] {
  const path = 'spec.auditAnnotations';
  const errors: FieldError[] = [];
  if (annotations.length > auditAnnotationsMax) {
    const shown = annotations.map(({ key: Key, valueExpression: ValueExpression }) => ({ Key, ValueExpression }));
    errors.push(invalid(path, shown, `must not have more than ${auditAnnotationsMax} auditAnnotations`));
  }
  const keys = new Set<string>();
  for (const [index, { key = '', valueExpression = '' }] of annotations.entries()) {
    const at = `${path}[${index}]`;
    if (policy === '') errors.push(invalid(`${at}.key`, key, 'requires metadata.name be non-empty'));
    else errors.push(...invalidBy(labelKeyErrors, `${at}.key`, `${policy}/${key}`));
    const trimmed = valueExpression.trim();
    if (trimmed === '') errors.push(required(`${at}.valueExpression`, 'valueExpression is not specified'));
    else if (Buffer.byteLength(trimmed) > valueExpressionBytesMax) {
      const detail = `must not exceed ${valueExpressionBytesMax} bytes in length`;
      errors.push(required(`${at}.valueExpression`, detail));
    } else {
      const { compiled } = compiler.compile(trimmed, 'auditAnnotation', declared);
      if ('failure' in compiled) errors.push(invalid(`${at}.valueExpression`, valueExpression, compiled.failure));
    }
    if (keys.size === keys.add(key).size) errors.push(duplicate(`${at}.key`, key));
  }
  return errors;
}

/** Source: `validateValidatingAdmissionPolicyBindingSpec` of the same file. */
export function validatingPolicyBindingErrors({ spec }: ValidatingAdmissionPolicyBinding): FieldError[] {
  return [
    ...policyBindingErrors(spec ?? {}),
    ...validationActionErrors(spec?.validationActions ?? [], 'spec.validationActions'),
  ];
}

/** The errors in the members that the bindings of validating and mutating policies have in common. */
export function policyBindingErrors({
  policyName = '',
  paramRef,
  matchResources,
}: Partial<ValidatingAdmissionPolicyBinding['spec']>): FieldError[] {
  return [
    ...(policyName === ''
      ? [required('spec.policyName')]
      : invalidBy(dns1123SubdomainErrors, 'spec.policyName', policyName)),
    ...(paramRef === undefined ? [] : paramRefErrors(paramRef, 'spec.paramRef')),
    ...(matchResources === undefined ? [] : matchResourcesErrors(matchResources, 'spec.matchResources')),
  ];
}

function validationActionErrors(values: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, action] of values.entries()) {
    if (!actions.includes(action)) errors.push(notSupported(`${path}[${index}]`, action, actions));
    if (seen.size === seen.add(action).size) errors.push(duplicate(`${path}[${index}]`, action));
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const why = 'repeating the same validation failure information in the API response and headers serves no purpose';
    errors.push(invalid(path, values, `must not contain both Deny and Warn (${why})`));
  }
  if (seen.size === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
