import type { Container, PodSpec, PodTemplateSpec } from '@evenkeel/kinds';
import { canonicalQuantity, formatQuantity } from '../../apimachinery/index.ts';
import { amountsOf } from '../resource-amounts.ts';
import { defaultRequirements, defaultResourceList, type ResourceList } from '../resource-list-defaults.ts';
import { isHugePages } from '../resource-rules.ts';
import { defaultContainer } from './container-defaults.ts';
import { isPodLevelResource, sumOfContainers } from './pod-resources.ts';
import { defaultVolume } from './volume-defaults.ts';

/**
 * Sets the defaults of a pod spec, in a Pod or in a template. Source: `SetDefaults_PodSpec` and the functions that it
 * calls.
 */
export function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.securityContext ??= {};
  spec.terminationGracePeriodSeconds ??= 30;
  spec.schedulerName ||= 'default-scheduler';
  mirrorServiceAccount(spec);
  dropDisabledFields(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of allContainers(spec)) defaultContainer(container);
  defaultResourceList(spec.overhead);
  defaultRequirements(spec.resources);
}

/** Sets the defaults of a template's metadata and spec. */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  template.metadata ??= {};
  template.spec ??= { containers: [] };
  defaultPodSpec(template.spec);
}

/** Sets the defaults that a Pod has and a template has not: `SetDefaults_Pod`. Runs before {@link defaultPodSpec}. */
export function defaultPodOnly(spec: PodSpec): void {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  for (const { resources } of containers) {
    if (resources?.limits === undefined) continue;
    resources.requests ??= {};
    for (const [name, amount] of Object.entries(resources.limits)) resources.requests[name] ??= amount;
  }
  defaultPodLevelHugePages(spec);
  defaultPodLevelRequests(spec);
  // A conversion upstream, not a default.
  if ((spec.terminationGracePeriodSeconds ?? 0) < 0) spec.terminationGracePeriodSeconds = 1;
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) {
    for (const { ports } of containers) for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}

/** Containers, init containers and ephemeral containers, in the order of defaulting. */
function allContainers(spec: PodSpec): Container[] {
  return [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
    ...((spec.ephemeralContainers ?? []) as Container[]),
  ];
}

/** Removes the fields of features that are not enabled by default. Source: `dropDisabledFields`, `pkg/api/pod/util.go`. */
function dropDisabledFields(spec: PodSpec): void {
  for (const container of allContainers(spec)) {
    if (container.lifecycle?.stopSignal === undefined) continue;
    delete container.lifecycle.stopSignal;
    if (Object.keys(container.lifecycle).length === 0) delete container.lifecycle;
  }
  for (const source of (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? [])) {
    delete source.clusterTrustBundle;
    delete source.podCertificate;
  }
}

/** `serviceAccount` is the old name of `serviceAccountName`. Both are always written. The new name takes precedence. */
function mirrorServiceAccount(spec: PodSpec): void {
  spec.serviceAccountName ||= spec.serviceAccount;
  if (spec.serviceAccountName) spec.serviceAccount = spec.serviceAccountName;
  else {
    delete spec.serviceAccountName;
    delete spec.serviceAccount;
  }
}

/** Sets the limit of huge pages of a pod with resources to that of its containers (`defaultHugePagePodLimits`). */
function defaultPodLevelHugePages({ resources, ...spec }: PodSpec): void {
  if (resources === undefined || !hasNames(resources.limits, resources.requests)) return;
  const limits: ResourceList = { ...resources.limits };
  for (const [name, amount] of sumOfContainers(spec, (container) => amountsOf(container.resources?.limits))) {
    if (!isHugePages(name) || Object.hasOwn(resources.requests ?? {}, name) || Object.hasOwn(limits, name)) continue;
    limits[name] = formatQuantity(amount);
  }
  if (hasNames(limits)) resources.limits = limits;
}

/** Sets the request for a pod-level limit: the total of the containers, else the limit (`defaultPodRequests`). */
function defaultPodLevelRequests(spec: PodSpec): void {
  const { limits } = spec.resources ?? {};
  if (spec.resources === undefined || limits === undefined || !hasNames(limits)) return;
  const requests: ResourceList = { ...spec.resources.requests };
  for (const [name, amount] of sumOfContainers(spec, (container) => amountsOf(container.resources?.requests))) {
    if (!Object.hasOwn(requests, name) && isPodLevelResource(name) && !isHugePages(name)) {
      requests[name] = formatQuantity(amount);
    }
  }
  for (const [name, amount] of Object.entries(limits)) {
    if (!Object.hasOwn(requests, name) && isPodLevelResource(name)) requests[name] = canonicalQuantity(amount);
  }
  if (hasNames(requests)) spec.resources.requests = requests;
}

function hasNames(...lists: readonly (ResourceList | undefined)[]): boolean {
  return lists.some((list) => Object.keys(list ?? {}).length > 0);
}
