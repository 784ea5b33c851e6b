import type { StatusError } from '@evenkeel/core';
import type { MatchCondition, MatchConditionInput } from '@evenkeel/schema/evaluate';
import { forbidden } from '../status/refusal.ts';
import type { WebhookSettings } from './webhook-configurations.ts';
import type { WebhookAttributes } from './webhook-rule.ts';

/** The compiled conditions of each webhook. Stored webhooks do not change. */
const compiled = new WeakMap<WebhookSettings, readonly MatchCondition[]>();

/**
 * Whether a request meets all match conditions of a webhook. If one of them cannot be evaluated and none is false, the
 * failure policy decides. The evaluator is loaded on first use, because most servers need none.
 *
 * Source: `matcher.Match` of apiserver `pkg/admission/plugin/webhook/matchconditions`.
 *
 * @throws StatusError 403 if the failure policy is Fail.
 */
export async function meetsConditions(
  settings: WebhookSettings,
  attributes: WebhookAttributes,
  input: MatchConditionInput,
): Promise<boolean> {
  const { CelError, CostBudget, MatchCondition, compileMatchCondition, matchConditionsCostMax } = await import(
    '@evenkeel/schema/evaluate'
  );
  const sources = settings.matchConditions ?? [];
  let conditions = compiled.get(settings);
  if (conditions === undefined) {
    conditions = sources.map(({ expression }) => {
      const condition = compileMatchCondition(expression.trim());
      // The validation of the configuration compiled it too.
      if (!(condition instanceof MatchCondition)) throw new Error(condition.message);
      return condition;
    });
    compiled.set(settings, conditions);
  }
  const budget = new CostBudget(matchConditionsCostMax);
  const errors: string[] = [];
  for (const [index, condition] of conditions.entries()) {
    try {
      if (!condition.evaluate(input, budget)) return false;
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      if (error.reason === 'budget') {
        errors.splice(0, errors.length, error.message);
        break;
      }
      errors.push(`expression '${sources[index]?.expression}' resulted in error: ${error.message}`);
    }
  }
  if (errors.length === 0) return true;
  if (settings.failurePolicy === 'Ignore') return false;
  throw unevaluated(attributes, errors);
}

function unevaluated({ resource, name }: WebhookAttributes, errors: readonly string[]): StatusError {
  const all = [...new Set(errors)];
  const why = all.length === 1 ? (all[0] ?? '') : `[${all.join(', ')}]`;
  return forbidden({ group: resource.group, plural: resource.resource }, name, why);
}
