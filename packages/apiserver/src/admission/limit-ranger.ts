import type { Container, LimitRange, PersistentVolumeClaim, Pod } from '@evenkeel/kinds';
import { aggregateText, formatQuantity, type Quantity } from '../apimachinery/index.ts';
import type { MutatingAdmissionStep, ValidatingAdmissionStep, WriteRequest } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { sumOfContainers } from '../strategy/pod/pod-resources.ts';
import { amountsOf, comparedStep, milliStep, type ResourceAmounts, roundedUp } from '../strategy/resource-amounts.ts';
import type { ResourceList } from '../strategy/resource-list-defaults.ts';

type LimitRangeItem = NonNullable<LimitRange['spec']>['limits'][number];

const annotation = 'kubernetes.io/limit-ranger';
const limitRanges = '/limitranges';
const pods = '/pods';
const claims = '/persistentvolumeclaims';

/**
 * Sets the requests and limits that the LimitRanges of a namespace have for containers without any, and notes them in an
 * annotation. Of several LimitRanges, the first by name wins; upstream takes them in a random order.
 *
 * Source: `plugin/pkg/admission/limitranger`, as for all of this file.
 */
export function limitRangeDefaults(store: ObjectStore): MutatingAdmissionStep {
  return ({ request, operation, object, current }) => {
    if (request.kind.storageKey !== pods || !concerns(request, operation)) return;
    if (current?.metadata.deletionTimestamp !== undefined) return;
    const ranges = limitRangesIn(store, request.namespace);
    for (const { spec } of ranges) setDefaults(object as unknown as Pod, spec?.limits);
    // Resources of the whole pod follow from those of its containers.
    if (ranges.length > 0) request.kind.strategy.default?.(object);
  };
}

/** Rejects pods and claims outside the limits of a LimitRange. */
export function limitRangeLimits(store: ObjectStore): ValidatingAdmissionStep {
  return ({ request, operation, object, current, name }) => {
    const { storageKey, names } = request.kind;
    if (object === undefined || (storageKey !== pods && storageKey !== claims)) return;
    if (!concerns(request, operation) || current?.metadata.deletionTimestamp !== undefined) return;
    for (const { spec } of limitRangesIn(store, request.namespace)) {
      const violations = (spec?.limits ?? []).flatMap((item) =>
        storageKey === pods
          ? podViolations(object as unknown as Pod, item)
          : claimViolations(object as unknown as PersistentVolumeClaim, item),
      );
      if (violations.length > 0) throw forbidden(names, name, aggregateText(violations));
    }
  };
}

/** The containers of a pod change only by a resize. */
function concerns({ kind, subresource }: WriteRequest, operation: string): boolean {
  if (kind.storageKey !== pods) return subresource === undefined && operation !== 'DELETE';
  return operation === 'CREATE' ? subresource === undefined : subresource?.name === 'resize';
}

function limitRangesIn(store: ObjectStore, namespace: string): LimitRange[] {
  const all = store.resource(limitRanges);
  return all.size === 0 ? [] : all.list(namespace).map(({ object }) => object as unknown as LimitRange);
}

function setDefaults(pod: Pod, items: readonly LimitRangeItem[] = []): void {
  let limits: ResourceList = {};
  let requests: ResourceList = {};
  for (const item of items.filter(({ type }) => type === 'Container')) {
    limits = { ...limits, ...item.default };
    requests = { ...requests, ...item.defaultRequest };
  }
  const notes: string[] = [];
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  for (const [holders, what] of [
    [containers, 'container'],
    [initContainers, 'init container'],
  ] as const) {
    for (const container of holders) {
      const set = [
        { resource: setMissing(container, 'requests', requests), what: 'request' },
        { resource: setMissing(container, 'limits', limits), what: 'limit' },
      ];
      for (const one of set) {
        if (one.resource.length > 0) notes.push(`${one.resource.join(', ')} ${one.what} for ${what} ${container.name}`);
      }
    }
  }
  if (notes.length === 0) return;
  const { metadata } = pod;
  metadata.annotations = { ...metadata.annotations, [annotation]: `LimitRanger plugin set: ${notes.join('; ')}` };
}

/** Returns the names of the resources that it has set. */
function setMissing(container: Container, member: 'requests' | 'limits', defaults: ResourceList): string[] {
  const present = container.resources?.[member] ?? {};
  const missing = Object.keys(defaults).filter((name) => !Object.hasOwn(present, name));
  if (missing.length === 0) return [];
  const added = Object.fromEntries(missing.map((name) => [name, defaults[name] ?? '']));
  container.resources = { ...container.resources, [member]: { ...present, ...added } };
  return missing.sort();
}

interface Needs {
  readonly requests: ResourceAmounts;
  readonly limits: ResourceAmounts;
}

function podViolations({ spec }: Pod, item: LimitRangeItem): string[] {
  if (spec === undefined) return [];
  const needsOf = ({ resources }: { resources?: Container['resources'] }): Needs => ({
    requests: amountsOf(resources?.requests),
    limits: amountsOf(resources?.limits),
  });
  if (item.type === 'Container') {
    const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
    return containers.flatMap((container) => violations(item, needsOf(container)));
  }
  if (item.type !== 'Pod') return [];
  const requests = sumOfContainers(spec, (container) => needsOf(container).requests);
  const limits = sumOfContainers(spec, (container) => needsOf(container).limits);
  const ofPod = needsOf(spec);
  for (const [total, list] of [
    [requests, ofPod.requests],
    [limits, ofPod.limits],
  ] as const) {
    for (const [name, amount] of list) if (name === 'cpu' || name === 'memory') total.set(name, amount);
  }
  return violations(item, { requests, limits });
}

function violations(item: LimitRangeItem, needs: Needs): string[] {
  return [
    ...each(item.min, (name, least) => belowMinimum(item.type, name, least, needs)),
    ...each(item.max, (name, most) => aboveMaximum(item.type, name, most, needs)),
    ...each(item.maxLimitRequestRatio, (name, ratio) => aboveRatio(item.type, name, ratio, needs)),
  ];
}

function claimViolations({ spec }: PersistentVolumeClaim, item: LimitRangeItem): string[] {
  if (item.type !== 'PersistentVolumeClaim') return [];
  const needs = { requests: amountsOf(spec?.resources?.requests), limits: new Map() };
  return [
    ...each(item.min, (name, least) => belowMinimum(item.type, name, least, needs)),
    ...each(item.max, (name, most) => aboveMaximumRequest(item.type, name, most, needs)),
  ];
}

function each(
  list: ResourceList | undefined,
  violation: (name: string, amount: Quantity) => string | undefined,
): string[] {
  const names = [...amountsOf(list)].sort(([a], [b]) => (a < b ? -1 : 1));
  return names.flatMap(([name, amount]) => violation(name, amount) ?? []);
}

function belowMinimum(type: string, name: string, least: Quantity, { requests, limits }: Needs): string | undefined {
  const what = `minimum ${name} usage per ${type} is ${formatQuantity(least)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return `${what}.  No request is specified`;
  const compared = comparable(request, limit, least);
  if (compared.request < compared.bound) return `${what}, but request is ${formatQuantity(request)}`;
  if (limit !== undefined && compared.limit < compared.bound) return `${what}, but limit is ${formatQuantity(limit)}`;
  return undefined;
}

function aboveMaximum(type: string, name: string, most: Quantity, { requests, limits }: Needs): string | undefined {
  const what = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (limit === undefined) return `${what}.  No limit is specified`;
  const compared = comparable(request, limit, most);
  if (compared.limit > compared.bound) return `${what}, but limit is ${formatQuantity(limit)}`;
  if (request !== undefined && compared.request > compared.bound) {
    return `${what}, but request is ${formatQuantity(request)}`;
  }
  return undefined;
}

/** The limits of a claim have no meaning. */
function aboveMaximumRequest(type: string, name: string, most: Quantity, { requests }: Needs): string | undefined {
  const what = `maximum ${name} usage per ${type} is ${formatQuantity(most)}`;
  const request = requests.get(name);
  if (request === undefined) return `${what}.  No request is specified`;
  const compared = comparable(request, undefined, most);
  return compared.request > compared.bound ? `${what}, but request is ${formatQuantity(request)}` : undefined;
}

function aboveRatio(type: string, name: string, most: Quantity, { requests, limits }: Needs): string | undefined {
  const what = `${name} max limit to request ratio per ${type} is ${formatQuantity(most)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  const compared = comparable(request, limit, most);
  if (request === undefined || compared.request === 0n) return `${what}, but no request is specified or request is 0`;
  if (limit === undefined || compared.limit === 0n) return `${what}, but no limit is specified or limit is 0`;
  const ratio = Number(compared.limit) / Number(compared.request);
  const step = comparedStep(most.nanos);
  const isAbove = (step === milliStep ? ratio * 1000 : ratio) > Number(roundedUp(most.nanos, step));
  return isAbove ? `${what}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

/** The amounts in thousandths or, if one is too large for that, as whole numbers (`requestLimitEnforcedValues`). */
function comparable(
  request: Quantity | undefined,
  limit: Quantity | undefined,
  bound: Quantity,
): { readonly request: bigint; readonly limit: bigint; readonly bound: bigint } {
  const nanos = [request?.nanos ?? 0n, limit?.nanos ?? 0n, bound.nanos] as const;
  const step = comparedStep(...nanos);
  return {
    request: roundedUp(nanos[0], step),
    limit: roundedUp(nanos[1], step),
    bound: roundedUp(nanos[2], step),
  };
}
