import type { ResourceQuota } from '@evenkeel/kinds';
import type { ApiObject } from '../kind/api-object.ts';
import type { ResourceAmounts } from '../strategy/resource-amounts.ts';

type ScopeSelector = NonNullable<NonNullable<ResourceQuota['spec']>['scopeSelector']>;

/** A scope that a quota requires of objects. */
export type ScopeRequirement = NonNullable<ScopeSelector['matchExpressions']>[number];

/** A write, as evaluators see it. */
export interface EvaluatedWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  /** Empty for the object itself. */
  readonly subresource: string;
  readonly object: ApiObject;
  readonly current: ApiObject | undefined;
}

/** The rules by which the objects of a kind are charged to quotas. Upstream's `quota.Evaluator`. */
export interface QuotaEvaluator {
  /** Whether a resource of a quota concerns the kind. */
  matches(resource: string): boolean;
  /** Whether a write may change the usage. */
  handles(write: EvaluatedWrite): boolean;
  /** Whether an object is in a scope. Default: no object is in any scope. */
  isInScope?(requirement: ScopeRequirement, object: ApiObject): boolean;
  /** What an object must specify for the resources of a quota but does not, in upstream's words. */
  missing?(resources: readonly string[], object: ApiObject): string | undefined;
  /** What an object is charged for. */
  usage(object: ApiObject, nowMs: number): ResourceAmounts;
  /** Whether an update may have lowered the usage without admission, so that it is calculated again. Default: never. */
  mayRelease?(object: ApiObject, old: ApiObject, nowMs: number): boolean;
}
