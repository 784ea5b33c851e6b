import type { ResourceQuota } from '@evenkeel/kinds';
import type { Quantity } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { addAmounts, type ResourceAmounts } from '../strategy/resource-amounts.ts';
import { quotaEvaluatorOf } from './evaluators.ts';
import { count } from './object-count-evaluator.ts';
import { isInScopes, scopesOf } from './quota-scopes.ts';

interface Countable {
  readonly group: string;
  readonly plural: string;
}

/**
 * What the objects of a namespace use of a quota, by resource. Resources of the quota that no served kind has are
 * absent.
 *
 * Source: `CalculateUsage` of apiserver `pkg/quota/v1`.
 */
export function quotaUsage<Resource extends Countable>(
  quota: ResourceQuota,
  served: readonly Resource[],
  objectsOf: (resource: Resource) => readonly ApiObject[],
  nowMs: number,
): ResourceAmounts {
  const hard = Object.keys(quota.spec?.hard ?? {});
  const scopes = scopesOf(quota);
  const total = new Map<string, Quantity>();
  for (const resource of served) {
    const evaluator = quotaEvaluatorOf(resource);
    const names = hard.filter((name) => evaluator?.matches(name) === true);
    if (evaluator === undefined || names.length === 0) continue;
    const used = new Map(names.map((name) => [name, count(0)]));
    for (const object of objectsOf(resource)) {
      if (isInScopes(evaluator, scopes, object)) addAmounts(used, evaluator.usage(object, nowMs));
    }
    addAmounts(total, new Map(names.map((name) => [name, used.get(name) ?? count(0)])));
  }
  return total;
}
