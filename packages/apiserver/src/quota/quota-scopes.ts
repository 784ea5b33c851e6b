import type { ResourceQuota } from '@evenkeel/kinds';
import type { ApiObject } from '../kind/api-object.ts';
import type { QuotaEvaluator, ScopeRequirement } from './quota-evaluator.ts';

/** Whether an object is in all scopes of a quota; undefined if that cannot be determined. */
export function isInScopes(
  evaluator: QuotaEvaluator,
  requirements: readonly ScopeRequirement[],
  object: ApiObject,
): boolean | undefined {
  let isIn = true;
  for (const requirement of requirements) {
    const matches = evaluator.isInScope === undefined ? false : evaluator.isInScope(requirement, object);
    if (matches === undefined) return undefined;
    isIn &&= matches;
  }
  return isIn;
}

/** The scopes of a quota. `operator` is that of the scopes in `spec.scopes`. */
export function scopesOf({ spec }: ResourceQuota, operator: 'Exists' | undefined): ScopeRequirement[] {
  const plain = (spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator }));
  return [...plain, ...(spec?.scopeSelector?.matchExpressions ?? [])];
}
