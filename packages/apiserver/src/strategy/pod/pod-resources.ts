import type { Container, ContainerStatus, Pod, PodSpec } from '@evenkeel/kinds';
import { addQuantities, type Quantity } from '../../apimachinery/index.ts';
import { addAmounts, amountsOf, type ResourceAmounts, raiseAmounts } from '../resource-amounts.ts';
import type { ResourceList } from '../resource-list-defaults.ts';
import { isHugePages } from '../resource-rules.ts';

type Member = 'requests' | 'limits';

/**
 * What the containers of a pod need together: the sum of those that run at once, but at least what each init container
 * needs beside the restartable ones before it. `amountsOfContainer` returns the needs of one container.
 *
 * Source: `AggregateContainerRequests` of component-helpers `resource`.
 */
export function sumOfContainers(
  { containers, initContainers = [] }: PodSpec,
  amountsOfContainer: (container: Container) => ResourceAmounts,
): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of containers ?? []) addAmounts(total, amountsOfContainer(container));
  const restartable = new Map<string, Quantity>();
  const initial = new Map<string, Quantity>();
  for (const container of initContainers) {
    const amounts = amountsOfContainer(container);
    if (container.restartPolicy === 'Always') {
      addAmounts(total, amounts);
      addAmounts(restartable, amounts);
      raiseAmounts(initial, restartable);
    } else {
      const beside = new Map(amounts);
      addAmounts(beside, restartable);
      raiseAmounts(initial, beside);
    }
  }
  raiseAmounts(total, initial);
  return total;
}

/** Whether the pod has requests or limits for all its containers together. */
export function hasPodLevelResources({ resources }: PodSpec): boolean {
  const names = [...Object.keys(resources?.requests ?? {}), ...Object.keys(resources?.limits ?? {})];
  return names.some(isPodLevelResource);
}

/** Whether a pod can have an amount of the resource for all its containers together. */
export function isPodLevelResource(name: string): boolean {
  return name === 'cpu' || name === 'memory' || isHugePages(name);
}

/** What a pod is charged for, as requests or as limits: `PodRequests` and `PodLimits` of component-helpers `resource`. */
export function podAmounts({ spec, status }: Pod, member: Member): Map<string, Quantity> {
  if (spec === undefined) return new Map();
  const statuses = new Map<string, ContainerStatus>();
  for (const one of [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])]) {
    statuses.set(one.name, one);
  }
  const pending = status?.conditions?.find(({ type }) => type === 'PodResizePending');
  const isInfeasible = pending?.reason === 'Infeasible';
  const regular = new Set(spec.containers);
  const total = sumOfContainers(spec, (container) => {
    const observed = statuses.get(container.name);
    const resizes = regular.has(container) || container.restartPolicy === 'Always';
    const wanted = amountsOf(container.resources?.[member]);
    if (!resizes || observed?.resources === undefined) return wanted;
    const amounts = isInfeasible ? new Map<string, Quantity>() : wanted;
    raiseAmounts(amounts, amountsOf(observed.resources[member]));
    if (member === 'requests') raiseAmounts(amounts, amountsOf(observed.allocatedResources));
    return amounts;
  });
  for (const [name, amount] of podLevelAmounts(spec.resources?.[member])) total.set(name, amount);
  for (const [name, amount] of amountsOf(spec.overhead)) {
    const present = total.get(name);
    if (present === undefined && member === 'requests') total.set(name, amount);
    // A limit of zero stays unlimited.
    else if (present !== undefined && (member === 'requests' || present.nanos !== 0n)) {
      total.set(name, addQuantities(present, amount));
    }
  }
  return total;
}

function podLevelAmounts(list: ResourceList | undefined): [string, Quantity][] {
  return [...amountsOf(list)].filter(([name]) => isPodLevelResource(name));
}
