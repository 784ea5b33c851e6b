import type { LimitRange, ResourceQuota } from '@evenkeel/kinds';
import { defineStrategy } from '../define-strategy.ts';
import { defaultResourceList } from '../resource-list-defaults.ts';

/** Sources: `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/limitrange/strategy.go`. */
export const limitRangeStrategy = defineStrategy<LimitRange>({
  default({ spec }) {
    for (const item of spec?.limits ?? []) {
      if (item.type === 'Container') {
        item.default = { ...item.max, ...item.default };
        item.defaultRequest = { ...item.min, ...item.default, ...item.defaultRequest };
      }
      for (const list of [item.max, item.min, item.default, item.defaultRequest, item.maxLimitRequestRatio]) {
        defaultResourceList(list);
      }
    }
  },
  generation: 'never',
  allowCreateOnUpdate: true,
});

/** Sources: `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/resourcequota/strategy.go`. */
export const resourceQuotaStrategy = defineStrategy<ResourceQuota>({
  default({ spec, status }) {
    for (const list of [spec?.hard, status?.hard, status?.used]) defaultResourceList(list);
  },
  generation: 'never',
});
