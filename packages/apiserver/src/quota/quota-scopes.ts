import type { ResourceQuota } from '@evenkeel/kinds';
import type { ApiObject } from '../kind/api-object.ts';
import type { QuotaEvaluator, ScopeRequirement } from './quota-evaluator.ts';

/** Whether an object is in all these scopes. */
export function isInScopes(
  evaluator: QuotaEvaluator,
  requirements: readonly ScopeRequirement[],
  object: ApiObject,
): boolean {
  return requirements.every((requirement) => evaluator.isInScope?.(requirement, object) === true);
}

export function scopesOf({ spec }: ResourceQuota): ScopeRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' }) as const);
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}
