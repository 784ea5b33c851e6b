import type { LimitRange } from '@evenkeel/kinds';
import { randomUid } from '../../kind/random-name.ts';
import { defineStrategy } from '../define-strategy.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';
import { validateLimitRange } from './limit-range-validation.ts';

/** Sources: `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/limitrange/strategy.go`. */
export const limitRangeStrategy = defineStrategy<LimitRange>({
  default({ spec }) {
    for (const item of spec?.limits ?? []) {
      if (item.type === 'Container') {
        const limits = { ...item.max, ...item.default };
        const requests = { ...item.min, ...limits, ...item.defaultRequest };
        if (Object.keys(limits).length > 0) item.default = limits;
        if (Object.keys(requests).length > 0) item.defaultRequest = requests;
      }
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
        defaultResourceList(list);
      }
    }
  },
  prepareForCreate({ metadata }, { random }) {
    if (!metadata.name) metadata.name = randomUid(random);
  },
  canonicalize({ spec }) {
    if (spec?.limits?.length === 0) spec.limits = null as never;
  },
  validate: validateLimitRange,
  validateUpdate: validateLimitRange,
  generation: 'never',
  allowCreateOnUpdate: true,
});
