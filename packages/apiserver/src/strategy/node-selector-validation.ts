import type { PersistentVolumeSpec } from '@evenkeel/kinds';
import {
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  invalidOperator,
  labelKeyErrors,
  labelValueErrors,
  required,
} from '../apimachinery/index.ts';
import { deprecatedNodeLabel } from './deprecated-node-label.ts';

export type NodeSelector = NonNullable<NonNullable<PersistentVolumeSpec['nodeAffinity']>['required']>;
export type NodeSelectorTerm = NonNullable<NodeSelector['nodeSelectorTerms']>[number];
type Requirement = NonNullable<NodeSelectorTerm['matchExpressions']>[number];

/** Source: `ValidateNodeSelector`, `pkg/apis/core/validation/validation.go`. */
export function validateNodeSelector(selector: NodeSelector, path: string): FieldError[] {
  const at = `${path}.nodeSelectorTerms`;
  const nodeSelectorTerms = selector.nodeSelectorTerms ?? [];
  if (nodeSelectorTerms.length === 0) return [required(at, 'must have at least one node selector term')];
  return nodeSelectorTerms.flatMap((term, index) => validateNodeSelectorTerm(term, `${at}[${index}]`));
}

/** Upstream accepts any values in preferences. */
export function validateNodeSelectorTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  path: string,
  values: 'labelValues' | 'anyValues' = 'labelValues',
): FieldError[] {
  return [
    ...matchExpressions.flatMap((one, index) => {
      const at = `${path}.matchExpressions[${index}]`;
      return [...validateRequirement(one, at), ...(values === 'anyValues' ? [] : validateValues(one, `${at}.values`))];
    }),
    ...matchFields.flatMap((one, index) => validateFieldRequirement(one, `${path}.matchFields[${index}]`)),
  ];
}

function validateRequirement({ key = '', operator, values = [] }: Requirement, path: string): FieldError[] {
  return [...operatorErrors(operator ?? '', values, path), ...invalidBy(labelKeyErrors, `${path}.key`, key)];
}

function validateValues({ values = [] }: Requirement, path: string): FieldError[] {
  return values.flatMap((value, index) => invalidBy(labelValueErrors, `${path}[${index}]`, value));
}

const withoutValues = ['Exists', 'DoesNotExist'];
const withValues = ['In', 'NotIn'];
const withOneValue = ['Gt', 'Lt'];

function operatorErrors(operator: string, values: readonly string[], path: string): FieldError[] {
  const at = `${path}.values`;
  if (withValues.includes(operator)) {
    return values.length > 0 ? [] : [required(at, "must be specified when `operator` is 'In' or 'NotIn'")];
  }
  if (withoutValues.includes(operator)) {
    const detail = "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
    return values.length === 0 ? [] : [forbidden(at, detail)];
  }
  if (!withOneValue.includes(operator)) return [invalidOperator(`${path}.operator`, operator)];
  return values.length === 1 ? [] : [required(at, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
}

function validateFieldRequirement({ key = '', operator, values = [] }: Requirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalidOperator(`${path}.operator`, operator ?? ''));
  } else if (values.length !== 1) {
    const detail = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    errors.push(required(`${path}.values`, detail));
  }
  if (key !== 'metadata.name') return [...errors, invalid(`${path}.key`, key, 'not a valid field selector key')];
  return [
    ...errors,
    ...values.flatMap((value, index) => invalidBy(dns1123SubdomainErrors, `${path}.values[${index}]`, value)),
  ];
}

/** Returns the warnings about a term. Upstream accepts any values in preferences, and warns of invalid ones. */
export function nodeSelectorTermWarnings(
  { matchExpressions = [] }: NodeSelectorTerm,
  path: string,
  values: 'labelValues' | 'anyValues' = 'labelValues',
): string[] {
  return matchExpressions.flatMap((requirement, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const { key = '' } = requirement;
    const message = deprecatedNodeLabel(key);
    const ofValues = values === 'anyValues' ? validateValues(requirement, `${at}.values`) : [];
    return [
      ...(message === undefined ? [] : [`${at}.key: ${key} is ${message}`]),
      ...ofValues.map(({ field, badValue, detail }) => `${field}: ${badValue} is invalid, ${detail}`),
    ];
  });
}
