import type { Lease } from '@evenkeel/kinds';
import { defineStrategy } from './define-strategy.ts';

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
  generation: 'never',
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
});
