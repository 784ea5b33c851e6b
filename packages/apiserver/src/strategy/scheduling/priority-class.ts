import type { PriorityClass } from '@evenkeel/kinds';
import { type FieldError, forbidden } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { validateChoice, validateImmutable } from '../number-validation.ts';

const systemPrefix = 'system-';
const userPriorityMax = 1_000_000_000;
const systemPriorities = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** Sources: `pkg/apis/scheduling/v1/defaults.go`, `pkg/registry/scheduling/priorityclass/strategy.go`. */
export const priorityClassStrategy = defineStrategy<PriorityClass>({
  default(object) {
    object.value ??= 0;
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  validate: validatePriorityClass,
  validateUpdate: (object, old) => [
    ...((object.value ?? 0) === (old.value ?? 0) ? [] : [forbidden('value', 'may not be changed in an update.')]),
    ...validateImmutable(object.preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy'),
  ],
  // Always 1: no change that an update may make increases it.
  generation: () => false,
});

/** Source: `ValidatePriorityClass`, `pkg/apis/scheduling/validation/validation.go`. */
function validatePriorityClass({
  metadata: { name = '' },
  value = 0,
  globalDefault = false,
  preemptionPolicy,
}: PriorityClass): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (name.startsWith(systemPrefix)) {
    const why = systemNameError(name, value, globalDefault);
    const detail = `priority class names with '${systemPrefix}' prefix are reserved for system use only. error: ${why}`;
    if (why !== undefined) errors.push(forbidden('metadata.name', detail));
  } else if (value > userPriorityMax) {
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${userPriorityMax}`));
  }
  if (preemptionPolicy === undefined) return errors;
  return [...errors, ...validateChoice(preemptionPolicy, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'])];
}

function systemNameError(name: string, value: number, globalDefault: boolean): string | undefined {
  const known = systemPriorities.get(name);
  if (known === undefined) return `${name} is not a known system priority class`;
  if (known !== value) return `value of ${name} PriorityClass must be ${known}`;
  return globalDefault ? `globalDefault of ${name} PriorityClass must be false` : undefined;
}
