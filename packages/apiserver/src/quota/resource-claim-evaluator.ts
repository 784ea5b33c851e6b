import type { Quantity } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { addAmounts, raiseAmounts } from '../strategy/resource-amounts.ts';
import { count } from './object-count-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';

const countName = 'count/resourceclaims.resource.k8s.io';
const ofClass = '.deviceclass.resource.k8s.io/devices';

/** The number of devices that `All` is charged for: `AllocationResultsMaxSize`. */
const allDevices = 32;

interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

interface ResourceClaimSpec {
  readonly devices?: {
    readonly requests?: readonly {
      readonly exactly?: DeviceRequest;
      readonly firstAvailable?: readonly DeviceRequest[];
    }[];
  };
}

/**
 * Charges ResourceClaims for themselves and their devices by class (`resource_claims.go`).
 *
 * Difference: upstream also charges the extended resources of a pod, for claims that its scheduler made for them.
 */
export const resourceClaimEvaluator: QuotaEvaluator = {
  matches: (resource) => resource === countName || resource.endsWith(ofClass),
  handles: ({ operation, subresource }) => operation !== 'DELETE' && subresource === '',
  usage(object: ApiObject) {
    const { devices } = (object['spec'] ?? {}) as ResourceClaimSpec;
    const usage = new Map([[countName, count(1)]]);
    for (const { exactly, firstAvailable = [] } of devices?.requests ?? []) {
      const most = new Map(exactly === undefined ? [] : [charged(exactly)]);
      // Any of these may be chosen.
      for (const request of firstAvailable) raiseAmounts(most, new Map([charged(request)]));
      addAmounts(usage, most);
    }
    return usage;
  },
};

/** Unknown modes are not charged. */
function charged({ deviceClassName = '', allocationMode, count: devices = 0 }: DeviceRequest): [string, Quantity] {
  const charges = allocationMode === 'All' ? allDevices : allocationMode === 'ExactCount' ? devices : 0;
  return [`${deviceClassName}${ofClass}`, count(charges)];
}
