import type { PodSpec } from '@evenkeel/kinds';
import { quantityNanos } from '../../apimachinery/index.ts';
import type { ResourceList } from '../resource-list-defaults.ts';

export type QualityOfService = 'BestEffort' | 'Burstable' | 'Guaranteed';

const computeResources = ['cpu', 'memory'];

/** The class that a node evicts by. Source: `ComputePodQOS`, `pkg/apis/core/helper/qos/qos.go`. */
export function qualityOfService(spec: PodSpec): QualityOfService {
  const podLevel = spec.resources;
  const holders =
    podLevel === undefined ? [...(spec.containers ?? []), ...(spec.initContainers ?? [])] : [{ resources: podLevel }];
  const requests = new Map<string, bigint>();
  const limits = new Map<string, bigint>();
  let guaranteed = true;
  for (const { resources } of holders) {
    addPositive(requests, resources?.requests);
    const limited = addPositive(limits, resources?.limits);
    const listed = podLevel === undefined || Object.keys(resources?.limits ?? {}).length > 0;
    if (listed && limited < computeResources.length) guaranteed = false;
  }
  if (requests.size === 0 && limits.size === 0) return 'BestEffort';
  const same = requests.size === limits.size && [...requests].every(([name, amount]) => limits.get(name) === amount);
  return guaranteed && same ? 'Guaranteed' : 'Burstable';
}

/** How many compute resources the list has more than nothing of. */
function addPositive(sums: Map<string, bigint>, list: ResourceList | undefined): number {
  let found = 0;
  for (const name of computeResources) {
    const amount = list !== undefined && Object.hasOwn(list, name) ? quantityNanos(list[name]) : 0n;
    if (amount <= 0n) continue;
    sums.set(name, (sums.get(name) ?? 0n) + amount);
    found += 1;
  }
  return found;
}
