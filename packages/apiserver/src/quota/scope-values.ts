import type { ScopeRequirement } from './quota-evaluator.ts';

/**
 * Whether an object with one of these values is in a scope, by the rules of label selectors
 * (`ScopedResourceSelectorRequirementsAsSelector`).
 */
export function hasScopeValue({ operator, values = [] }: ScopeRequirement, present: readonly string[]): boolean {
  switch (operator) {
    case 'Exists':
      return present.length > 0;
    case 'DoesNotExist':
      return present.length === 0;
    case 'In':
      return present.some((value) => values.includes(value));
    case 'NotIn':
      return present.length === 0 || present.some((value) => !values.includes(value));
    default:
      return false;
  }
}
