import type { Container, PodSpec, PodTemplateSpec } from '@evenkeel/kinds';
import { canonicalQuantity, formatQuantity, parseQuantity, type Quantity } from '../../apimachinery/index.ts';
import { defaultRequirements, defaultResourceList, type ResourceList } from '../resource-list-defaults.ts';
import { defaultContainer } from './container-defaults.ts';
import { defaultVolume } from './volume-defaults.ts';

/** Fills in what every pod spec has, in a Pod and in a template alike. Source: `SetDefaults_PodSpec` and what it covers. */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  mirrorServiceAccount(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of allContainers(spec)) defaultContainer(container);
  defaultResourceList(spec.overhead);
  defaultRequirements(spec.resources);
}

/** A template's metadata and spec. */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  template.metadata ??= {};
  template.spec ??= { containers: [] };
  defaultPodSpec(template.spec);
}

/** What only a Pod gets, not a template: `SetDefaults_Pod`. Runs before {@link defaultPodSpec}. */
export function defaultPodOnly(spec: PodSpec): void {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const { resources } of containers) {
    if (resources?.limits === undefined) continue;
    resources.requests ??= {};
    for (const [name, amount] of Object.entries(resources.limits)) resources.requests[name] ??= amount;
  }
  defaultPodLevelRequests(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    for (const { ports } of containers) for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}

/** Containers, init containers and ephemeral ones, in the order in which defaulting visits them. */
function allContainers(spec: PodSpec): Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
}

/** `serviceAccount` is the old name of `serviceAccountName`; both are always written, the new one wins. */
function mirrorServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount;
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** A pod-level limit brings a request: that of the containers together, else the limit (`defaultPodRequests`). */
function defaultPodLevelRequests(spec: PodSpec): void {
  const limits = spec.resources?.limits;
  if (spec.resources === undefined || limits === undefined || Object.keys(limits).length === 0) return;
  const requests: ResourceList = { ...spec.resources.requests };
  const aggregate = aggregateRequests(spec);
  for (const [name, amount] of aggregate) {
    if (!Object.hasOwn(requests, name) && isPodLevelResource(name) && !name.startsWith('hugepages-')) {
      requests[name] = formatQuantity(amount);
    }
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (!Object.hasOwn(requests, name) && isPodLevelResource(name)) requests[name] = canonicalQuantity(amount);
  }
  if (Object.keys(requests).length > 0) spec.resources.requests = requests;
}

const isPodLevelResource = (name: string): boolean =>
  name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');

/**
 * What a pod's containers ask for at once: the sum of the containers and sidecars, or the most that an init container
 * needs beside the sidecars started before it. Source: `AggregateContainerRequests`, component-helpers `resource`.
 */
function aggregateRequests(spec: PodSpec): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of spec.containers ?? []) add(total, container.resources?.requests);
  const sidecars = new Map<string, Quantity>();
  const peak = new Map<string, Quantity>();
  for (const container of spec.initContainers ?? []) {
    const needed = new Map(sidecars);
    add(needed, container.resources?.requests);
    if (container.restartPolicy === 'Always') {
      add(total, container.resources?.requests);
      add(sidecars, container.resources?.requests);
    }
    raise(peak, needed);
  }
  raise(total, peak);
  return total;
}

function add(sums: Map<string, Quantity>, list: ResourceList | undefined): void {
  for (const [name, text] of Object.entries(list ?? {})) {
    const amount = parseQuantity(text);
    if (amount === undefined) continue;
    const sum = sums.get(name);
    sums.set(name, { nanos: (sum?.nanos ?? 0n) + amount.nanos, format: sum?.format ?? amount.format });
  }
}

function raise(most: Map<string, Quantity>, candidate: ReadonlyMap<string, Quantity>): void {
  for (const [name, amount] of candidate) {
    const known = most.get(name);
    if (known === undefined || amount.nanos > known.nanos) most.set(name, amount);
  }
}
