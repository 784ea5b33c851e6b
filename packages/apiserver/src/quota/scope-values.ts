import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { ScopeRequirement } from './quota-evaluator.ts';

/**
 * Whether an object with one of these values is in a scope, by the rules of label selectors: an object without a value
 * has no label (`ScopedResourceSelectorRequirementsAsSelector`).
 */
export function hasScopeValue({ scopeName, operator, values }: ScopeRequirement, present: readonly string[]): boolean {
  const requirement = { key: scopeName, operator, ...(values !== undefined && { values }) };
  const requirements = labelRequirementsOf({ matchExpressions: [requirement] });
  const labels = present.length === 0 ? [{}] : present.map((value) => ({ [scopeName]: value }));
  return labels.some((one) => matchesLabels(requirements, one));
}
