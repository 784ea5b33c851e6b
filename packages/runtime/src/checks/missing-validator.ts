import type { ControllerMistake } from '@evenkeel/core';
import type { WebhookPlan } from '@evenkeel/core/webhook';
import type { ManagerOptions } from '../options/manager-options.ts';

/** The mistake that a webhook needs the operator's validator, which the operator does not have. */
export function missingValidator(
  { webhookClass, schema, rules, type }: WebhookPlan,
  { validator }: Pick<ManagerOptions, 'validator'>,
): ControllerMistake[] {
  const why = validator === undefined ? 'is missing' : 'has no method ruleEvaluator';
  const needed =
    rules !== undefined && validator?.ruleEvaluator === undefined
      ? `the operator evaluates @${type === 'validating' ? 'Rule' : 'Mutation'} through its validator, which ${why}`
      : schema && validator === undefined
        ? 'schema: true needs the validator of the operator'
        : undefined;
  if (needed === undefined) return [];
  const fix = 'pass the option validator, such as classValidator() of @evenkeel/schema/validator';
  return [{ code: 'invalid-option', controllerClass: webhookClass, message: `${needed}; ${fix}` }];
}
