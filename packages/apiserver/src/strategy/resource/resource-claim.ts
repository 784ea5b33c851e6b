import type { KubernetesObject } from '@evenkeel/core';
import { defineStrategy } from '../define-strategy.ts';

interface DeviceRequest {
  allocationMode?: string;
  count?: number;
}

/** The part of a ResourceClaim that has defaults. */
interface ResourceClaim extends KubernetesObject {
  spec?: { devices?: { requests?: { exactly?: DeviceRequest; firstAvailable?: DeviceRequest[] }[] } };
}

/** Sources: `pkg/apis/resource/v1/defaults.go`, `pkg/registry/resource/resourceclaim/strategy.go`. */
export const resourceClaimStrategy = defineStrategy<ResourceClaim>({
  default({ spec }) {
    for (const { exactly, firstAvailable = [] } of spec?.devices?.requests ?? []) {
      for (const request of [...(exactly === undefined ? [] : [exactly]), ...firstAvailable]) {
        request.allocationMode ||= 'ExactCount';
        if (request.allocationMode === 'ExactCount') request.count ||= 1;
      }
    }
  },
  generation: 'never',
});
