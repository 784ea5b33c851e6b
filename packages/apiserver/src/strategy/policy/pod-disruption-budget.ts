import type { PodDisruptionBudget } from '@evenkeel/kinds';
import {
  type FieldError,
  GoStruct,
  invalid,
  notSupported,
  shownSelector,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { validateConditions } from '../condition-validation.ts';
import { defineStrategy } from '../define-strategy.ts';
import { validateAtMost100Percent, validateIntOrPercent } from '../number-validation.ts';
import { validateCounts } from '../workload-validation.ts';

/** Sources: `pkg/registry/policy/poddisruptionbudget/strategy.go`. */
export const podDisruptionBudgetStrategy = defineStrategy<PodDisruptionBudget>({
  default({ status }) {
    if (status === undefined) return;
    status.disruptionsAllowed ??= 0;
    status.currentHealthy ??= 0;
    status.desiredHealthy ??= 0;
    status.expectedPods ??= 0;
  },
  prepareForCreate(object) {
    object.status = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 };
  },
  validate: validateBudget,
  validateUpdate: validateBudget,
  metadataLast: true,
  allowUnconditionalUpdate: false,
  subresources: {
    status: {
      validateUpdate: ({ status }) => [
        ...validateConditions(status?.conditions, 'status.conditions'),
        ...validateCounts(status, ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods'], [], ''),
      ],
    },
  },
});

/** Source: `ValidatePodDisruptionBudgetSpec`, `pkg/apis/policy/validation/validation.go`. */
function validateBudget({ spec }: PodDisruptionBudget): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (spec?.minAvailable !== undefined && spec.maxUnavailable !== undefined) {
    // The value is printed like Go's internal type.
    const value = new GoStruct({
      MinAvailable: spec.minAvailable,
      Selector: shownSelector(spec.selector),
      MaxUnavailable: spec.maxUnavailable,
      UnhealthyPodEvictionPolicy: spec.unhealthyPodEvictionPolicy ?? null,
    });
    errors.push(invalid('spec', value, 'minAvailable and maxUnavailable cannot be both set'));
  }
  for (const field of ['minAvailable', 'maxUnavailable'] as const) {
    errors.push(...validateIntOrPercent(spec?.[field], `spec.${field}`));
    errors.push(...validateAtMost100Percent(spec?.[field], `spec.${field}`));
  }
  errors.push(...validateLabelSelector(spec?.selector, 'spec.selector'));
  const policy = spec?.unhealthyPodEvictionPolicy;
  const policies = ['AlwaysAllow', 'IfHealthyBudget'];
  if (policy !== undefined && !policies.includes(policy)) {
    errors.push(notSupported('spec.unhealthyPodEvictionPolicy', policy, policies));
  }
  return errors;
}
