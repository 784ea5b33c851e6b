import type { ResourceQuota } from '@evenkeel/kinds';
import { canonicalQuantity, quantityNanos } from '../../apimachinery/index.ts';
import { defineStrategy, keepMember } from '../define-strategy.ts';
import { defaultResourceList, type ResourceList } from '../resource-list-defaults.ts';
import {
  validateQuotaStatusUpdate,
  validateResourceQuota,
  validateResourceQuotaUpdate,
} from './resource-quota-validation.ts';

/** Sources: `pkg/apis/core/v1/defaults.go`, `pkg/registry/core/resourcequota/strategy.go`. */
export const resourceQuotaStrategy = defineStrategy<ResourceQuota>({
  default({ spec, status }) {
    for (const list of [spec?.hard, status?.hard, status?.used]) defaultResourceList(list);
  },
  validate: validateResourceQuota,
  validateUpdate: validateResourceQuotaUpdate,
  warnings: ({ spec }, old) => (old === undefined ? requestsAboveLimits(spec?.hard ?? {}) : []),
  generation: 'never',
  subresources: {
    status: {
      prepareForUpdate: (object, old) => keepMember(object, old, 'spec'),
      validateUpdate: validateQuotaStatusUpdate,
    },
  },
});

function requestsAboveLimits(hard: ResourceList): string[] {
  const warnings: string[] = [];
  for (const resource of ['cpu', 'memory', 'storage', 'ephemeral-storage']) {
    const names = [`requests.${resource}`, ...(resource === 'cpu' || resource === 'memory' ? [resource] : [])];
    const request = names.find((name) => Object.hasOwn(hard, name));
    const limit = `limits.${resource}`;
    if (request === undefined || !Object.hasOwn(hard, limit)) continue;
    const [requested = '', limited = ''] = [hard[request], hard[limit]];
    if (quantityNanos(requested) <= quantityNanos(limited)) continue;
    const [shown, most] = [canonicalQuantity(requested), canonicalQuantity(limited)];
    warnings.push(`ResourceQuota ${request} (${shown}) should be less than ${limit} (${most})`);
  }
  return warnings;
}
