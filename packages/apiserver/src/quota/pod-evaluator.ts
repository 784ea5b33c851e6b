import type { Container, ContainerStatus, Pod } from '@evenkeel/kinds';
import { compareText, jsonEqual, type Quantity } from '../apimachinery/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { qualityOfService } from '../strategy/pod/pod-quality-of-service.ts';
import { hasPodLevelResources, podAmounts } from '../strategy/pod/pod-resources.ts';
import { addAmounts, amountsOf, type ResourceAmounts } from '../strategy/resource-amounts.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '../strategy/resource-rules.ts';
import { count } from './object-count-evaluator.ts';
import type { QuotaEvaluator, ScopeRequirement } from './quota-evaluator.ts';
import { hasScopeValue } from './scope-values.ts';

/** Resources that a pod requests and limits. */
const computeResources = ['cpu', 'memory', 'ephemeral-storage'];

const resources = new Set([
  'count/pods',
  'pods',
  ...computeResources.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
]);

/** If a quota limits one of these, every container must specify it. */
const requiredResources = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);

const deviceClassPrefix = 'deviceclass.resource.kubernetes.io/';

/** Charges pods for themselves and for what they request, until they end (`pods.go`). */
export const podEvaluator: QuotaEvaluator = {
  matches: (resource) =>
    resources.has(resource) ||
    isHugePages(resource) ||
    resource.startsWith('requests.hugepages-') ||
    (resource.startsWith('requests.') &&
      (!isNativeResource(resource) || resource.startsWith(`requests.${deviceClassPrefix}`))),
  handles({ operation, subresource, object, current }) {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '' || operation === 'DELETE') return false;
    return (
      operation === 'CREATE' || isTerminating(object as unknown as Pod) !== isTerminating(current as unknown as Pod)
    );
  },
  isInScope: (requirement, object) => isInScope(requirement, object as unknown as Pod),
  missing(required, object) {
    const { spec } = object as unknown as Pod;
    if (spec === undefined || hasPodLevelResources(spec)) return undefined;
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    const missing = required
      .filter((resource) => requiredResources.includes(resource))
      .sort(compareText)
      .flatMap((resource) => {
        const without = containers.filter((container) => !chargesOf(container).has(resource));
        const names = [...new Set(without.map(({ name }) => name))].sort(compareText);
        return names.length === 0 ? [] : [`${resource} for: ${names.join(',')}`];
      });
    return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
  },
  usage(object, nowMs) {
    const pod = object as unknown as Pod;
    const usage = new Map([['count/pods', count(1)]]);
    if (isCharged(pod, nowMs)) addAmounts(usage, chargesOfPod(pod));
    return usage;
  },
  mayRelease(object: ApiObject, old: ApiObject, nowMs) {
    const [pod, before] = [object as unknown as Pod, old as unknown as Pod];
    if (isTerminating(pod) !== isTerminating(before) || haveResourcesChanged(pod, before)) return true;
    return isCharged(before, nowMs) && !isCharged(pod, nowMs);
  },
};

/** Stored pods never change, and each deletion in a namespace with a quota counts all of them. */
const knownCharges = new WeakMap<Pod, ResourceAmounts>();

function chargesOfPod(pod: Pod): ResourceAmounts {
  let known = knownCharges.get(pod);
  if (known === undefined) {
    known = charges(podAmounts(pod, 'requests'), podAmounts(pod, 'limits'));
    knownCharges.set(pod, known);
  }
  return known;
}

function chargesOf({ resources: own }: Container): ResourceAmounts {
  return charges(amountsOf(own?.requests), amountsOf(own?.limits));
}

/** What amounts count as in a quota (`podComputeUsageHelper`). */
function charges(requests: ResourceAmounts, limits: ResourceAmounts): ResourceAmounts {
  const charged = new Map<string, Quantity>([['pods', count(1)]]);
  for (const [name, amount] of requests) {
    const isOwn = computeResources.includes(name) || isHugePages(name);
    if (isOwn) charged.set(name, amount);
    if (isOwn || isExtendedResource(name) || name.startsWith(deviceClassPrefix))
      charged.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (computeResources.includes(name)) charged.set(`limits.${name}`, amount);
  return charged;
}

function isInScope(requirement: ScopeRequirement, pod: Pod): boolean {
  switch (requirement.scopeName) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return hasScopeValue(requirement, pod.spec?.priorityClassName ? [pod.spec.priorityClassName] : []);
    case 'CrossNamespacePodAffinity':
      return hasCrossNamespaceAffinity(pod);
    default:
      return false;
  }
}

function isTerminating({ spec }: Pod): boolean {
  return spec?.activeDeadlineSeconds !== undefined && spec.activeDeadlineSeconds >= 0;
}

function isBestEffort({ spec, status }: Pod): boolean {
  const stored = status?.qosClass;
  return (stored || (spec === undefined ? 'BestEffort' : qualityOfService(spec))) === 'BestEffort';
}

function hasCrossNamespaceAffinity({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec?.affinity ?? {};
  return [podAffinity, podAntiAffinity].some((affinity) => {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const terms = [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
    ];
    return terms.some((term) => (term.namespaces ?? []).length > 0 || term.namespaceSelector !== undefined);
  });
}

/** Whether a pod has neither ended nor exceeded the time in which it should have (`QuotaV1Pod`). */
function isCharged({ metadata, status }: Pod, nowMs: number): boolean {
  if (status?.phase === 'Failed' || status?.phase === 'Succeeded') return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return nowMs <= Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function haveResourcesChanged({ status }: Pod, { status: before }: Pod): boolean {
  const differ = (now: readonly ContainerStatus[] = [], old: readonly ContainerStatus[] = []): boolean =>
    old.some(({ name, resources: previous }) => {
      const current = now.find((one) => one.name === name);
      return current !== undefined && !jsonEqual(current.resources, previous);
    });
  return (
    differ(status?.containerStatuses, before?.containerStatuses) ||
    differ(status?.initContainerStatuses, before?.initContainerStatuses)
  );
}
