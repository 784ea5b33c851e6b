import type { PodDisruptionBudget } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';

/** Sources: `pkg/registry/policy/poddisruptionbudget/strategy.go`. */
export const podDisruptionBudgetStrategy = defineStrategy<PodDisruptionBudget>({
  prepareForCreate(object) {
    object.status = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
  },
  allowUnconditionalUpdate: false,
});
