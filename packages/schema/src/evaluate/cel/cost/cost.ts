import { codePointCount } from '../../code-points.ts';
import { CidrValue, IpValue } from '../library/ip.ts';
import { FormatValue } from '../library/named-format.ts';
import { QuantityValue } from '../library/quantity.ts';
import { SemverValue } from '../library/semver.ts';
import { UrlValue } from '../library/url.ts';
import { countVisits } from '../value/evaluation-limit.ts';
import { CelList, CelMap, CelOptional, type CelValue } from '../value/value.ts';

/** The maximal cost of one evaluation: PerCallLimit of k8s.io/apiserver `pkg/apis/cel/config.go`. */
export const perCallCostLimit = 1_000_000;
/** The maximal cost of all rules of one object together: RuntimeCELCostBudget of the same file. */
export const runtimeCostBudget = 10_000_000;

/** The cost of one access check, of which an evaluation can make two. */
export const authorizationCheckCost = 350_000;

/** cel-go v0.26 `common/cost.go`. */
export const listCreateCost = 10;
export const mapCreateCost = 30;
export const structCreateCost = 40;
export const stringTraversal = 0.1;
export const regexLength = 0.25;

/**
 * The cost of a call with its arguments. It is charged before the call, so that a call beyond the limit never runs. If
 * upstream computes the cost from the result, its size is derived from the arguments.
 */
export type CallCost = (args: readonly CelValue[]) => number;

/**
 * The cost function of a call, or undefined if the cost is the usual 1. `overload` is the name of the only matching
 * overload, or empty if it is known only at run time: then functions that depend on it cost 1, as upstream.
 * Sources: k8s.io/apiserver v0.36 `pkg/cel/library/cost.go`, cel-go v0.26 `interpreter/runtimecost.go`,
 * `ext/lists.go` and `ext/sets.go`.
 */
export function callCost(name: string, overload: string): CallCost | undefined {
  return extensionCosts.get(overload) ?? kubernetesCost(name, overload) ?? standardCosts.get(overload);
}

/** The cost of `==` and `!=`; upstream exempts the types of Kubernetes only from `==`. */
export function equalityCost(left: CelValue, right: CelValue, negated: boolean): number {
  if (typeof left === 'number' || typeof left === 'boolean') return sizeOf(right) === 0 ? 0 : 1;
  if (!negated && kubernetesTypes.some((type) => left instanceof type)) return 1;
  return traversal(Math.min(sizeOf(left), sizeOf(right)));
}

/** The size for cost computation: that of strings, bytes, lists and maps, 1 for everything else. */
export function sizeOf(value: CelValue): number {
  if (typeof value === 'string') return codePointCount(value);
  if (value instanceof CelList || value instanceof CelMap) return value.size;
  if (value instanceof Uint8Array) return value.length;
  if (value instanceof IpValue || value instanceof CidrValue) return value.byteLength;
  if (value instanceof CelOptional && value.hasValue) return sizeOf(value.value);
  return 1;
}

const kubernetesTypes = [QuantityValue, IpValue, CidrValue, FormatValue, UrlValue, SemverValue];

const ofFirst: CallCost = ([value]) => traversal(sizeOf(value ?? null));
const ofShorter: CallCost = ([left, right]) => traversal(Math.min(sizeOf(left ?? null), sizeOf(right ?? null)));
const ofBoth: CallCost = ([left, right]) => traversal(sizeOf(left ?? null) + sizeOf(right ?? null));
const ofMatch: CallCost = ([text, pattern]) => regexCost(sizeOf(text ?? null), sizeOf(pattern ?? null));

const standardCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...[
    'starts_with_string',
    'ends_with_string',
    'string_to_bytes',
    'bytes_to_string',
    'strings_quote',
    'string_format',
  ].map((id): [string, CallCost] => [id, ofFirst]),
  ...['string', 'bytes'].flatMap((type): [string, CallCost][] =>
    ['less', 'less_equals', 'greater', 'greater_equals'].map((operator) => [`${operator}_${type}`, ofShorter]),
  ),
  ['in_list', ([, list]) => sizeOf(list ?? null)],
  ['add_string', ofBoth],
  ['add_bytes', ofBoth],
  ['matches_string', ofMatch],
  ['contains_string', ([text, part]) => traversal(sizeOf(text ?? null)) * traversal(sizeOf(part ?? null))],
]);

const sortable = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
];

const extensionCosts: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ['list_slice', ([, start, end]) => allocation(1, Math.max(0, Number(end) - Number(start)))],
  ['lists_range', ([end]) => allocation(1, Math.max(0, Number(end)))],
  ['list_reverse', ([list]) => allocation(1, sizeOf(list ?? null))],
  ['list_flatten', ([list]) => allocation(1, sizeOf(list ?? null))],
  ['list_flatten_int', ([list, depth]) => allocation(Number(depth), sizeOf(list ?? null))],
  ['list_distinct', ([list]) => selfCompare(list ?? null)],
  ...sortable.flatMap((type): [string, CallCost][] => [
    [`list_${type}_sort`, ([list]) => selfCompare(list ?? null)],
    [`list_${type}_sortByAssociatedKeys`, ([, keys]) => selfCompare(keys ?? null)],
  ]),
  ['list_sets_contains_list', ([a, b]) => 1 + sizeOf(a ?? null) * sizeOf(b ?? null)],
  ['list_sets_intersects_list', ([a, b]) => 1 + sizeOf(a ?? null) * sizeOf(b ?? null)],
  ['list_sets_equivalent_list', ([a, b]) => 1 + 2 * sizeOf(a ?? null) * sizeOf(b ?? null)],
]);

function kubernetesCost(name: string, overload: string): CallCost | undefined {
  switch (name) {
    case 'check':
      return () => authorizationCheckCost;
    case 'fieldSelector':
    case 'labelSelector':
      return ([, selector]) => selectorCost(sizeOf(selector ?? null));
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return ([list]) => deepTraversal(list ?? null);
    case 'url':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return ofFirst;
    case 'ip':
      return overload === 'cidr_ip' ? undefined : ofFirst;
    case 'replace':
    case 'split':
    case 'ip.isCanonical':
      return ([text]) => Math.ceil(sizeOf(text ?? null) * 2 * stringTraversal);
    case 'join':
      return ([list, separator]) => Math.ceil(joinedSize(list ?? null, separator ?? '') * 2 * stringTraversal);
    case 'find':
    case 'findAll':
      return ofMatch;
    case 'containsIP':
      return ([cidr, other]) =>
        traversal(2 * sizeOf(cidr ?? null)) +
        (overload === 'cidr_contains_ip_string' ? traversal(sizeOf(other ?? null)) : 0);
    case 'containsCIDR':
      return ([cidr, other]) =>
        traversal(2 * sizeOf(cidr ?? null)) +
        traversal(sizeOf(cidr ?? null)) +
        1 +
        (overload === 'cidr_contains_cidr_string' ? traversal(sizeOf(other ?? null)) : 0);
    case 'validate':
      return ([format, text]) => regexCost(sizeOf(text ?? null), format instanceof FormatValue ? format.regexSize : 0);
    default:
      return undefined;
  }
}

function traversal(size: number): number {
  return Math.ceil(size * stringTraversal);
}

function regexCost(textSize: number, patternSize: number): number {
  return Math.ceil((1 + textSize) * stringTraversal) * Math.ceil(patternSize * regexLength);
}

/** Two characters can be a requirement, which is a struct and a list. */
function selectorCost(length: number): number {
  return listCreateCost + traversal(length) + Math.ceil(length * 0.5) * (listCreateCost + structCreateCost);
}

function allocation(factor: number, size: number): number {
  return Math.trunc(size * factor) + 1 + listCreateCost;
}

function selfCompare(list: CelValue): number {
  const size = sizeOf(list);
  const first = list instanceof CelList && size > 0 ? list.at(0) : null;
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + stringTraversal : 2;
  return allocation(factor, size * size);
}

/** The size at which computation stops, because the limits are exceeded anyway. */
const enough = 10 * runtimeCostBudget;

function joinedSize(list: CelValue, separator: CelValue): number {
  if (!(list instanceof CelList)) return 1;
  let size = Math.max(0, list.size - 1) * sizeOf(separator);
  for (let i = 0; i < list.size && size < enough; i++) size += sizeOf(list.at(i));
  return size;
}

/** Strings and bytes by their bytes, lists and maps by their elements, everything else 1. */
function deepTraversal(value: CelValue): number {
  countVisits(1);
  if (typeof value === 'string') return Math.trunc(Buffer.byteLength(value) * stringTraversal);
  if (value instanceof Uint8Array) return Math.trunc(value.length * stringTraversal);
  let cost = 0;
  if (value instanceof CelList) {
    for (let i = 0; i < value.size && cost < enough; i++) cost += deepTraversal(value.at(i));
    return cost;
  }
  if (value instanceof CelMap) {
    for (const key of value.keys()) cost += deepTraversal(key) + deepTraversal(value.find(key) ?? null);
    return cost;
  }
  return 1;
}

const amplifying = new Set(['flatten', 'format', 'replace']);

/** Whether a function can create much larger values than its cost suggests, so that its results must be limited. */
export function isAmplifying(name: string): boolean {
  return amplifying.has(name);
}
