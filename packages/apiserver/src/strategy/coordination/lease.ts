import type { Lease } from '@evenkeel/kinds';
import { type FieldError, invalid } from '../../apimachinery/index.ts';
import { defineStrategy } from '../define-strategy.ts';
import { validateNonNegative } from '../number-validation.ts';

/** Sources: `pkg/registry/coordination/lease/strategy.go`. Fields of coordinated election need a feature that is off. */
export const leaseStrategy = defineStrategy<Lease>({
  prepareForCreate({ spec }) {
    delete spec?.strategy;
    delete spec?.preferredHolder;
  },
  prepareForUpdate({ spec }, old) {
    if (old.spec?.strategy === undefined) delete spec?.strategy;
    if (old.spec?.preferredHolder === undefined) delete spec?.preferredHolder;
  },
  validate: validateLease,
  validateUpdate: validateLease,
  generation: 'never',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
});

/** Source: `ValidateLeaseSpec`, `pkg/apis/coordination/validation/validation.go`. */
function validateLease({ spec }: Lease): readonly FieldError[] {
  const errors: FieldError[] = [];
  const duration = spec?.leaseDurationSeconds;
  if (duration !== undefined && duration <= 0) {
    errors.push(invalid('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
  }
  return [...errors, ...validateNonNegative(spec?.leaseTransitions, 'spec.leaseTransitions')];
}
