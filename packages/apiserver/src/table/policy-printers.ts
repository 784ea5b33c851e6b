import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '@evenkeel/kinds';
import { ageOf } from './cell.ts';
import { ageColumn, column, definePrinter, nameColumn } from './define-printer.ts';

/* Admission policies and their bindings. Source: `pkg/printers/internalversion/printers.go`. */

type Policy = ValidatingAdmissionPolicy | MutatingAdmissionPolicy;
type ParamKind = NonNullable<Policy['spec']>['paramKind'];
type ParamRef = NonNullable<NonNullable<MutatingAdmissionPolicyBinding['spec']>['paramRef']>;

export const validatingPolicyPrinter = definePrinter<ValidatingAdmissionPolicy>({
  columns: [nameColumn, column('Validations', 'integer'), column('ParamKind'), ageColumn],
  cells: (object, now) => {
    const { paramKind, validations = [] } = object.spec ?? {};
    return [object.metadata.name, validations.length, shownParamKind(paramKind), ageOf(object, now)];
  },
});

export const mutatingPolicyPrinter = definePrinter<MutatingAdmissionPolicy>({
  columns: [nameColumn, column('Mutations', 'integer'), column('ParamKind'), ageColumn],
  cells: (object, now) => {
    const { paramKind, mutations = [] } = object.spec ?? {};
    return [object.metadata.name, mutations.length, shownParamKind(paramKind), ageOf(object, now)];
  },
});

export const policyBindingPrinter = definePrinter<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding>({
  columns: [nameColumn, column('PolicyName'), column('ParamRef'), ageColumn],
  cells: (object, now) => {
    const { policyName = '', paramRef } = object.spec ?? {};
    return [object.metadata.name, policyName, shownParamRef(paramRef ?? {}), ageOf(object, now)];
  },
});

function shownParamKind(paramKind: ParamKind): string {
  return paramKind === undefined ? '<unset>' : `${paramKind.apiVersion ?? ''}/${paramKind.kind ?? ''}`;
}

function shownParamRef({ name = '', namespace = '', selector }: ParamRef): string {
  if (name !== '') return `${namespace === '' ? '*' : namespace}/${name}`;
  return selector === undefined ? '<unset>' : goSelector(selector);
}

/** A selector as Go prints the generated type. */
function goSelector({ matchLabels = {}, matchExpressions = [] }: NonNullable<ParamRef['selector']>): string {
  const keys = Object.keys(matchLabels).sort();
  const labels = `map[string]string{${keys.map((key) => `${key}: ${matchLabels[key]},`).join('')}}`;
  const requirements = matchExpressions.map(({ key, operator, values = [] }) => {
    return `LabelSelectorRequirement{Key:${key},Operator:${operator},Values:[${values.join(' ')}],},`;
  });
  const expressions = `[]LabelSelectorRequirement{${requirements.join('')}}`;
  return `&LabelSelector{MatchLabels:${labels},MatchExpressions:${expressions},}`;
}
