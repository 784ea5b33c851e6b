import type { Expr } from '../syntax/ast.ts';
import { type CelType, isSameType } from '../value/type.ts';
import { isInt } from '../value/value.ts';
import { listCreateCost, regexLength, stringTraversal } from './cost.ts';
import {
  addSizes,
  costOf,
  fixedSize,
  multiplySizes,
  type SizeEstimate,
  saturate,
  unknownSize,
} from './estimate-size.ts';

/** The known facts about an argument: its size if known, otherwise the schema of the data that it comes from. */
export interface EstimatedNode {
  readonly expr: Expr;
  readonly type: CelType;
  readonly size: SizeEstimate | undefined;
  readonly declaredSize: SizeEstimate | undefined;
  /** The same for the elements of a list. */
  readonly elementDeclaredSize: SizeEstimate | undefined;
}

/** The maximal cost of a call without its arguments, and the size of its result if known. */
export interface CallEstimate {
  readonly cost: number;
  readonly size?: SizeEstimate;
}

/** MaxFormatSize and MaxNameFormatRegexSize of k8s.io/apiserver `pkg/cel/limits.go`. */
const maxFormatSize = 64;
const maxNameFormatRegexSize = 128;

/**
 * The estimates of Kubernetes and of cel-go's list and set extensions, or undefined if the standard ones apply.
 * Sources: k8s.io/apiserver v0.36 `pkg/cel/library/cost.go`, cel-go v0.26 `ext/lists.go` and `ext/sets.go`.
 */
export function estimateLibraryCall(
  name: string,
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
): CallEstimate | undefined {
  return estimateExtension(overload, target, args) ?? estimateKubernetes(name, overload, target, args);
}

function estimateExtension(
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
): CallEstimate | undefined {
  const [first, second] = args;
  if (overload.startsWith('list_sets_') && first !== undefined && second !== undefined) {
    const factor = overload === 'list_sets_equivalent_list' ? 2 : 1;
    return { cost: saturate(costOf(multiplySizes(sizeOf(first), sizeOf(second)), factor) + 1) };
  }
  if (overload === 'lists_range' && first !== undefined)
    return allocation(1, fixedSize(intOr(first, Number.MAX_VALUE)));
  if (target === undefined) return undefined;
  const size = sizeOf(target);
  if (overload === 'list_slice' && first !== undefined && second !== undefined) {
    const length = intOr(second, size.max) - intOr(first, 0);
    // Upstream's unsigned subtraction wraps around.
    return allocation(1, fixedSize(length < 0 ? unknownSize.max : length));
  }
  if (overload === 'list_reverse') return allocation(1, size);
  if (overload === 'list_distinct') return allocation(2, multiplySizes(size, size));
  if (overload === 'list_flatten') return allocation(1, size);
  if (overload === 'list_flatten_int' && first !== undefined) return allocation(intOr(first, Number.MAX_VALUE), size);
  const sorted = /^list_(.*)_(sort|sortByAssociatedKeys)$/.exec(overload);
  if (sorted === null) return undefined;
  const keys = sorted[2] === 'sort' ? size : first === undefined ? unknownSize : sizeOf(first);
  const factor = sorted[1] === 'string' || sorted[1] === 'bytes' ? 2 + stringTraversal : 2;
  return allocation(factor, multiplySizes(keys, keys));
}

function estimateKubernetes(
  name: string,
  overload: string,
  target: EstimatedNode | undefined,
  args: readonly EstimatedNode[],
): CallEstimate | undefined {
  const [first, second] = args;
  switch (name) {
    case 'isSorted':
    case 'sum':
    case 'max':
    case 'min':
    case 'indexOf':
    case 'lastIndexOf':
      return target === undefined ? undefined : { cost: estimateListScan(target) };
    case 'url':
      return first === undefined ? undefined : { cost: traversal(first), size: sizeOf(first) };
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return target === undefined ? undefined : { cost: traversal(target), size: sizeOf(target) };
    case 'replace':
      return target === undefined || first === undefined || second === undefined
        ? undefined
        : { cost: traversal(target, 2), size: replacedSize(sizeOf(target), sizeOf(first), sizeOf(second)) };
    case 'split': {
      if (target === undefined) return undefined;
      const parts = second === undefined ? sizeOf(target).max : unsignedOr(second, sizeOf(target).max);
      return { cost: traversal(target, 2), size: { min: 0, max: parts } };
    }
    case 'join':
      return target === undefined ? undefined : estimateJoin(target, first);
    case 'find':
    case 'findAll':
      return target === undefined || first === undefined
        ? undefined
        : { cost: regexCost(sizeOf(target), sizeOf(first)), size: { min: 0, max: sizeOf(target).max } };
    case 'ip':
      if (overload === 'cidr_ip') return { cost: 1 };
      return first === undefined ? undefined : { cost: traversal(first) };
    case 'cidr':
    case 'isIP':
    case 'isCIDR':
    case 'quantity':
    case 'isQuantity':
    case 'semver':
    case 'isSemver':
      return first === undefined ? undefined : { cost: traversal(first) };
    case 'ip.isCanonical':
      return first === undefined ? undefined : { cost: traversal(first, 2) };
    case 'containsIP':
    case 'containsCIDR':
      return first === undefined ? undefined : { cost: estimateContains(name, overload, first) };
    case 'validate':
      return first === undefined
        ? undefined
        : { cost: saturate(Math.ceil(traversal(first) * maxNameFormatRegexSize * regexLength)) };
    case '_==_':
      return estimateEquality(first, second);
    default:
      return undefined;
  }
}

function estimateEquality(left: EstimatedNode | undefined, right: EstimatedNode | undefined): CallEstimate | undefined {
  if (left === undefined || right === undefined || !isSameType(left.type, right.type)) return undefined;
  switch (left.type.name) {
    case 'net.IP':
    case 'net.CIDR':
    case 'kubernetes.Quantity':
    case 'kubernetes.Semver':
      return { cost: 1 };
    case 'kubernetes.NamedFormat':
      return { cost: Math.ceil(maxFormatSize * stringTraversal) };
    case 'kubernetes.URL':
      return { cost: costOf(right.size ?? fixedSize(1), stringTraversal) };
    default:
      return undefined;
  }
}

/** A list costs 1 for each element plus the size of its strings; strings have indexOf and lastIndexOf too. */
function estimateListScan(target: EstimatedNode): number {
  const [element] = target.type.parameters;
  const size = sizeOf(target);
  if (element === undefined) return costOf(size, stringTraversal);
  if (element.kind !== 'string' && element.kind !== 'bytes') {
    // Without a size, upstream treats values that are not strings as strings here.
    return costOf(size, 1);
  }
  return saturate(size.max * saturate(1 + costOf(target.elementDeclaredSize ?? unknownSize, stringTraversal)));
}

function estimateJoin(target: EstimatedNode, separator: EstimatedNode | undefined): CallEstimate {
  const list = sizeOf(target);
  let size: SizeEstimate = multiplySizes(list, target.elementDeclaredSize ?? unknownSize);
  if (separator !== undefined) {
    const gaps = { min: Math.max(0, list.min - 1), max: Math.max(0, list.max - 1) };
    size = addSizes(size, multiplySizes(sizeOf(separator), gaps));
  }
  return { cost: costOf(size, stringTraversal), size };
}

function estimateContains(name: string, overload: string, other: EstimatedNode): number {
  const addressBytes = 16;
  let cost = Math.ceil(2 * addressBytes * stringTraversal);
  if (name === 'containsCIDR') cost += Math.ceil(addressBytes * stringTraversal) + 1;
  const isText = overload === 'cidr_contains_ip_string' || overload === 'cidr_contains_cidr_string';
  return saturate(cost + (isText ? traversal(other) : 0));
}

function replacedSize(text: SizeEstimate, old: SizeEstimate, by: SizeEstimate): SizeEstimate {
  // The longest result replaces the shortest parts by the longest; the shortest result does the opposite.
  let max = 0;
  if (old.min === 0) max = saturate(saturate(text.max + 1) * by.max + text.max);
  else if (by.max <= old.min) max = text.max;
  else max = saturate(Math.ceil(text.max / old.min) * by.max);
  let min = 0;
  if (old.max === 0) min = saturate(saturate(text.min + 1) * by.min + text.min);
  else if (old.max <= by.min) min = text.min;
  else min = saturate(Math.ceil(text.min / old.max) * by.min);
  return { min, max };
}

export function regexCost(text: SizeEstimate, pattern: SizeEstimate): number {
  return saturate(costOf(addSizes(text, fixedSize(1)), stringTraversal) * costOf(pattern, regexLength));
}

function traversal(node: EstimatedNode, times = 1): number {
  return costOf(sizeOf(node), times * stringTraversal);
}

function allocation(factor: number, size: SizeEstimate): CallEstimate {
  return { cost: saturate(costOf(size, factor) + 1 + listCreateCost), size };
}

function sizeOf(node: EstimatedNode): SizeEstimate {
  return node.size ?? node.declaredSize ?? unknownSize;
}

function intOr(node: EstimatedNode, otherwise: number): number {
  const { expr } = node;
  if (expr.kind !== 'literal' || !isInt(expr.value)) return saturate(otherwise);
  return Math.max(0, Number(expr.value));
}

/** A literal int as upstream converts it to unsigned: negative values become very large. */
function unsignedOr(node: EstimatedNode, otherwise: number): number {
  const { expr } = node;
  if (expr.kind !== 'literal' || !isInt(expr.value)) return otherwise;
  return expr.value < 0 ? unknownSize.max : Number(expr.value);
}
