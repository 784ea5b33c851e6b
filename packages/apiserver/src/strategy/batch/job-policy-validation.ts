import type { JobSpec } from '@evenkeel/kinds';
import {
  duplicate,
  type FieldError,
  GoStruct,
  goQuoteList,
  invalid,
  invalidBy,
  labelKeyErrors,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../apimachinery/index.ts';
import { validateDomainPrefixedPath } from '../domain-prefixed-path.ts';
import { validateNonNegative } from '../number-validation.ts';
import { indexesProblem } from './job-index-validation.ts';

type FailureRule = NonNullable<JobSpec['podFailurePolicy']>['rules'][number];
type SuccessRule = NonNullable<JobSpec['successPolicy']>['rules'][number];

const mostRules = 20;
const mostExitCodes = 255;
const longestIndexes = 64 * 1024;
const longestManager = 63;

const actions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];
const operators = ['In', 'NotIn'];
const statuses = ['False', 'True', 'Unknown'];

const validValues = (values: readonly string[]): string => `valid values: ${goQuoteList(values)}`;

export function validateManagedBy(managedBy: string, path: string): FieldError[] {
  const errors = validateDomainPrefixedPath(managedBy, path);
  return managedBy.length > longestManager ? [...errors, tooLong(path, longestManager)] : errors;
}

/** Source: `validatePodFailurePolicy`, `pkg/apis/batch/validation/validation.go`. */
export function validateFailurePolicy(spec: JobSpec, path: string): FieldError[] {
  const rules = spec.podFailurePolicy?.rules ?? [];
  const errors = rules.length > mostRules ? [tooMany(`${path}.rules`, rules.length, mostRules)] : [];
  for (const [index, rule] of rules.entries())
    errors.push(...validateFailureRule(spec, rule, `${path}.rules[${index}]`));
  return errors;
}

function validateFailureRule(spec: JobSpec, rule: FailureRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (!rule.action) errors.push(required(`${path}.action`, validValues(actions)));
  else if (!actions.includes(rule.action)) errors.push(notSupported(`${path}.action`, rule.action, actions));
  else if (rule.action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    errors.push(invalid(`${path}.action`, rule.action, 'requires the backoffLimitPerIndex to be set'));
  }
  const conditions = rule.onPodConditions ?? [];
  if (rule.onExitCodes !== undefined) errors.push(...validateExitCodes(spec, rule.onExitCodes, `${path}.onExitCodes`));
  if (conditions.length > mostRules) errors.push(tooMany(`${path}.onPodConditions`, conditions.length, mostRules));
  for (const [index, { type, status }] of conditions.entries()) {
    const at = `${path}.onPodConditions[${index}]`;
    errors.push(...invalidBy(labelKeyErrors, `${at}.type`, type ?? ''));
    if (!status) errors.push(required(`${at}.status`, validValues(statuses)));
    else if (!statuses.includes(status)) errors.push(notSupported(`${at}.status`, status, statuses));
  }
  if (rule.onExitCodes !== undefined && conditions.length > 0) {
    errors.push(invalid(path, undefined, 'specifying both OnExitCodes and OnPodConditions is not supported'));
  }
  if (rule.onExitCodes === undefined && conditions.length === 0) {
    errors.push(invalid(path, undefined, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return errors;
}

function validateExitCodes(
  { template }: JobSpec,
  { operator, containerName, values: codes }: NonNullable<FailureRule['onExitCodes']>,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const values = codes ?? [];
  if (!operator) errors.push(required(`${path}.operator`, validValues(operators)));
  else if (!operators.includes(operator)) errors.push(notSupported(`${path}.operator`, operator, operators));
  const containers = [...(template?.spec?.containers ?? []), ...(template?.spec?.initContainers ?? [])];
  if (containerName !== undefined && !containers.some(({ name }) => name === containerName)) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${path}.containerName`, containerName, detail));
  }
  if (values.length === 0) errors.push(invalid(`${path}.values`, values, 'at least one value is required'));
  else if (values.length > mostExitCodes) errors.push(tooMany(`${path}.values`, values.length, mostExitCodes));
  const seen = new Set<number>();
  for (const [index, value] of values.entries()) {
    const at = `${path}.values[${index}]`;
    if (operator === 'In' && value === 0) errors.push(invalid(at, value, 'must not be 0 for the In operator'));
    if (seen.has(value)) errors.push(duplicate(at, value));
    seen.add(value);
  }
  if (values.some((value, index) => value < (values[index - 1] ?? value))) {
    errors.push(invalid(`${path}.values`, values, 'must be ordered'));
  }
  return errors;
}

/** Source: `validateSuccessPolicy`, `pkg/apis/batch/validation/validation.go`. */
export function validateSuccessPolicy(spec: JobSpec, path: string): FieldError[] {
  if (spec.successPolicy === undefined) return [];
  const rules = spec.successPolicy.rules ?? [];
  if (spec.completionMode !== 'Indexed') {
    return [invalid(path, new GoStruct({ Rules: rules.map(shownRule) }), 'requires indexed completion mode')];
  }
  // Upstream would crash here.
  if (spec.completions === undefined) return [];
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    errors.push(required(`${path}.rules`, 'at least one rules must be specified when the successPolicy is specified'));
  }
  if (rules.length > mostRules) errors.push(tooMany(`${path}.rules`, rules.length, mostRules));
  for (const [index, rule] of rules.entries()) {
    errors.push(...validateSuccessRule(spec.completions, rule, `${path}.rules[${index}]`));
  }
  return errors;
}

/** A rule as Go prints its struct. */
function shownRule({ succeededCount, succeededIndexes }: SuccessRule): GoStruct {
  return new GoStruct({ SucceededIndexes: succeededIndexes ?? null, SucceededCount: succeededCount ?? null });
}

function validateSuccessRule(
  completions: number,
  { succeededCount, succeededIndexes }: SuccessRule,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  let indexes = 0;
  if (succeededIndexes !== undefined) {
    const at = `${path}.succeededIndexes`;
    if (succeededIndexes.length > longestIndexes) errors.push(tooLong(at, longestIndexes));
    const { problem, count } = indexesProblem(succeededIndexes, completions);
    if (problem !== undefined) {
      errors.push(invalid(at, succeededIndexes, `error parsing succeededIndexes: ${problem}`));
    }
    indexes = count;
  }
  if (succeededCount === undefined) return errors;
  const at = `${path}.succeededCount`;
  errors.push(...validateNonNegative(succeededCount, at));
  const atMost = (most: number, what: string): string =>
    `must be less than or equal to ${most} (the number of ${what})`;
  if (succeededCount > completions) {
    errors.push(invalid(at, succeededCount, atMost(completions, 'specified completions')));
  }
  if (succeededIndexes !== undefined && succeededCount > indexes) {
    errors.push(invalid(at, succeededCount, atMost(indexes, 'indexes in the specified succeededIndexes field')));
  }
  return errors;
}
