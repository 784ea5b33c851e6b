import type { PriorityClass } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';

/** Sources: `pkg/apis/scheduling/v1/defaults.go`, `pkg/registry/scheduling/priorityclass/strategy.go`. */
export const priorityClassStrategy = defineStrategy<PriorityClass>({
  default(object) {
    object.preemptionPolicy ??= 'PreemptLowerPriority';
  },
  // 1 for good: nothing that an update may change moves it.
  generation: () => false,
});
