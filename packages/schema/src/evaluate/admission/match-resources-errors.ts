import type { MutatingAdmissionPolicyBinding } from '@evenkeel/kinds';
import {
  duplicate,
  type FieldError,
  invalidBy,
  notSupported,
  pathSegmentErrors,
  required,
  validateLabelSelector,
} from '../apimachinery.ts';
import { ruleErrors } from './rule-errors.ts';

export type MatchResources = NonNullable<NonNullable<MutatingAdmissionPolicyBinding['spec']>['matchResources']>;

/** The requests that a mutating policy can change. */
const mutableOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** Source: `validateMatchResources` of `pkg/apis/admissionregistration/validation/validation.go`. */
export function matchResourcesErrors(match: MatchResources, path: string): FieldError[] {
  const { matchPolicy, namespaceSelector, objectSelector, resourceRules, excludeResourceRules } = match;
  const policies = ['Equivalent', 'Exact'];
  const errors: FieldError[] = [];
  if (matchPolicy === undefined) errors.push(required(`${path}.matchPolicy`));
  else if (!policies.includes(matchPolicy)) errors.push(notSupported(`${path}.matchPolicy`, matchPolicy, policies));
  if (namespaceSelector === undefined) errors.push(required(`${path}.namespaceSelector`));
  else errors.push(...validateLabelSelector(namespaceSelector, `${path}.namespaceSelector`));
  if (objectSelector === undefined) errors.push(required(`${path}.objectSelector`));
  else errors.push(...validateLabelSelector(objectSelector, `${path}.objectSelector`));
  for (const [name, rules = []] of [
    ['resourceRules', resourceRules],
    ['excludeResourceRules', excludeResourceRules],
  ] as const) {
    for (const [index, rule] of rules.entries()) {
      const at = `${path}.${name}[${index}]`;
      errors.push(...resourceNameErrors(rule.resourceNames ?? [], `${at}.resourceNames`), ...ruleErrors(rule, at));
    }
  }
  return errors;
}

/** The errors in the operations of a mutating policy's rules. */
export function mutatedOperationErrors({ resourceRules = [] }: MatchResources, path: string): FieldError[] {
  return resourceRules
    .flatMap(({ operations = [] }) => operations)
    .filter((operation) => !mutableOperations.includes(operation))
    .map((operation) => notSupported(`${path}.resourceRules.operations`, operation, mutableOperations));
}

function resourceNameErrors(names: readonly string[], path: string): FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    const at = `${path}[${index}]`;
    const errors = invalidBy(pathSegmentErrors, at, name);
    return seen.size === seen.add(name).size ? [...errors, duplicate(at, name)] : errors;
  });
}
