import { codePointCount } from '../../code-points.ts';
import type { CallExpr, ComprehensionExpr, Expr } from '../syntax/ast.ts';
import type { DeclaredType } from '../value/declared-type.ts';
import { type CelType, type CelTypeKind, dynType, isOptional } from '../value/type.ts';
import { listCreateCost, mapCreateCost, stringTraversal, structCreateCost } from './cost.ts';
import { type CallEstimate, type EstimatedNode, estimateLibraryCall, regexCost } from './estimate-call.ts';
import {
  addSizes,
  costOf,
  fixedSize,
  maxElements,
  type SizeEstimate,
  saturate,
  uniteSizes,
  unknownSize,
} from './estimate-size.ts';

/**
 * The maximal cost of a checked expression for the largest data that its schema allows. The API server rejects rules by
 * this number, so it equals upstream's exactly (cel-go v0.26 `checker/cost.go`), saturating at 2^64. `root` is the type of
 * `self` and of every other variable that contains data.
 */
export function estimateCost(expr: Expr, root: DeclaredType): number {
  return new CostEstimator(root).cost(expr);
}

type Path = readonly string[];

/** The sizes of the elements of a list or map literal. */
interface EntrySize {
  readonly container: 'list' | 'map';
  readonly key: SizeEstimate;
  readonly value: SizeEstimate;
}

interface LocalVariable {
  readonly path: Path;
  readonly size: SizeEstimate | undefined;
  readonly entrySize: EntrySize | undefined;
}

class CostEstimator {
  readonly #root: DeclaredType;
  readonly #paths = new Map<Expr, Path>();
  readonly #sizes = new Map<Expr, SizeEstimate>();
  readonly #entrySizes = new Map<Expr, EntrySize>();
  readonly #costs = new Map<Expr, number>();
  #locals: ReadonlyMap<string, LocalVariable> = new Map();

  constructor(root: DeclaredType) {
    this.#root = root;
  }

  /** The cost of a node; a node that is in the tree more than once is estimated once. */
  cost(expr: Expr): number {
    const known = this.#costs.get(expr);
    if (known !== undefined && expr.kind !== 'ident') return known;
    const cost = saturate(this.#cost(expr));
    this.#costs.set(expr, cost);
    return cost;
  }

  #cost(expr: Expr): number {
    switch (expr.kind) {
      case 'literal':
        return 0;
      case 'ident':
        this.#paths.set(expr, this.#locals.get(expr.name)?.path ?? [expr.name]);
        return 1;
      case 'select': {
        if (expr.qualified !== undefined) {
          this.#paths.set(expr, [expr.qualified]);
          return 1;
        }
        const operand = this.cost(expr.operand);
        if (expr.testOnly) return operand;
        if (expr.optional) return operand + 1;
        this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
        const kind = typeOf(expr.operand).kind;
        return operand + (kind === 'map' || kind === 'struct' || kind === 'param' ? 1 : 0);
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const cost = sum(expr.elements.map((element) => this.cost(element)));
        const value = this.#union(expr.elements);
        this.#entrySizes.set(expr, { container: 'list', key: fixedSize(1), value });
        return cost + listCreateCost;
      }
      case 'map': {
        const keys = expr.entries.map((entry) => entry.key);
        const values = expr.entries.map((entry) => entry.value);
        const cost = sum([...keys, ...values].map((part) => this.cost(part)));
        this.#entrySizes.set(expr, { container: 'map', key: this.#union(keys), value: this.#union(values) });
        return cost + mapCreateCost;
      }
      case 'struct':
        return sum(expr.fields.map(({ value }) => this.cost(value))) + structCreateCost;
      case 'comprehension':
        return this.#comprehension(expr);
    }
  }

  #call(expr: CallExpr): number {
    const { resolved } = expr;
    if (resolved === undefined) return 0;
    const { name } = resolved.declaration;
    const costs = resolved.args.map((arg) => this.cost(arg));
    if (name === '_&&_' || name === '_||_') return sum(costs);
    if (name === 'dyn') {
      this.#copySizes(expr, resolved.args[0]);
      return sum(costs) + 1;
    }
    const isMember = resolved.args.length !== expr.args.length;
    const nodes = resolved.args.map((arg) => this.#node(arg));
    const target = isMember ? nodes[0] : undefined;
    const args = isMember ? nodes.slice(1) : nodes;
    let own = 0;
    let size: SizeEstimate | undefined;
    for (const { id } of resolved.overloads) {
      const estimate = this.#estimate(expr, name, id, target, args, costs);
      own = Math.max(own, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : uniteSizes(size, estimate.size);
      if (id === 'index_list' || id === 'index_map') {
        const [container] = expr.args;
        if (container !== undefined) {
          size = this.#entrySize(container)?.value;
          this.#paths.set(expr, [...this.#path(container), id === 'index_list' ? '@items' : '@values']);
        }
      }
      size ??= this.#size(expr);
    }
    if (size !== undefined) this.#sizes.set(expr, size);
    return name === '_?_:_' ? own : sum(costs) + own;
  }

  /** The cost of one overload without its arguments, except for a conditional, which evaluates only one branch. */
  #estimate(
    expr: CallExpr,
    name: string,
    overload: string,
    target: EstimatedNode | undefined,
    args: readonly EstimatedNode[],
    costs: readonly number[],
  ): CallEstimate {
    const [first, second, third] = args;
    const library = estimateLibraryCall(name, overload, target, args);
    if (library !== undefined) return library;
    const firstSize = first?.size ?? unknownSize;
    const secondSize = second?.size ?? unknownSize;
    const targetSize = target?.size ?? unknownSize;
    switch (overload) {
      case 'string_format':
        return { cost: costOf(targetSize, stringTraversal) };
      case 'string_to_bytes':
        return {
          cost: costOf(firstSize, stringTraversal),
          size: { min: firstSize.min, max: saturate(firstSize.max * 4) },
        };
      case 'bytes_to_string':
        return {
          cost: costOf(firstSize, stringTraversal),
          size: { min: Math.floor(firstSize.min / 4), max: firstSize.max },
        };
      case 'strings_quote':
        return {
          cost: costOf(firstSize, stringTraversal),
          size: { min: firstSize.min + 2, max: saturate(firstSize.max * 2 + 2) },
        };
      case 'starts_with_string':
      case 'ends_with_string':
        return { cost: costOf(firstSize, stringTraversal) };
      case 'in_list':
        return { cost: costOf(secondSize, 1) };
      case 'matches_string':
        return target === undefined ? { cost: 1 } : { cost: regexCost(targetSize, firstSize) };
      case 'contains_string':
        return { cost: saturate(costOf(targetSize, stringTraversal) * costOf(firstSize, stringTraversal)) };
      case 'conditional': {
        const [condition = 0, truthy = 0, falsy = 0] = costs;
        this.#unite(expr, second?.expr, third?.expr);
        return { cost: condition + Math.max(truthy, falsy), size: uniteSizes(secondSize, third?.size ?? unknownSize) };
      }
      case 'add_string':
      case 'add_bytes':
      case 'add_list': {
        const size = addSizes(firstSize, secondSize);
        this.#unite(expr, first?.expr, second?.expr);
        return { cost: overload === 'add_list' ? 1 : costOf(size, stringTraversal), size };
      }
      default:
        if (
          overload === 'equals' ||
          overload === 'not_equals' ||
          /^(?:less|greater)(?:_equals)?_(?:string|bytes)$/.test(overload)
        ) {
          return { cost: costOf({ min: 0, max: Math.min(firstSize.max, secondSize.max) }, stringTraversal) };
        }
        return { cost: 1 };
    }
  }

  #comprehension(expr: ComprehensionExpr): number {
    const outer = this.#locals;
    const before = this.cost(expr.range) + this.cost(expr.init);
    const accumulator = this.#local(expr.init);
    const inResult = new Map(outer).set(expr.accumulator, accumulator);
    if (expr.condition.kind === 'literal' && expr.condition.value === false) {
      this.#locals = inResult;
      const result = this.cost(expr.result);
      this.#copySizes(expr, expr.result);
      this.#locals = outer;
      return before + result;
    }
    const entry = this.#entrySize(expr.range);
    const isList = (entry?.container ?? typeOf(expr.range).kind) === 'list';
    const path = this.#path(expr.range);
    const key = { path: [...path, isList ? '@indices' : '@keys'], size: entry?.key, entrySize: undefined };
    const value = { path: [...path, isList ? '@items' : '@values'], size: entry?.value, entrySize: undefined };
    const inLoop = new Map(inResult);
    if (expr.variable2 === undefined) inLoop.set(expr.variable, isList ? value : key);
    else inLoop.set(expr.variable, key).set(expr.variable2, value);
    this.#locals = inLoop;
    const step = this.cost(expr.condition) + this.cost(expr.step);
    const stepEntry = this.#entrySize(expr.step);
    this.#locals = inResult;
    const result = this.cost(expr.result);
    this.#locals = outer;
    const count = this.#size(expr.range) ?? unknownSize;
    if (expr.init.kind === 'literal') {
      const size = this.#size(expr.init);
      if (size !== undefined) this.#sizes.set(expr, size);
    } else {
      this.#sizes.set(expr, count);
      if (stepEntry !== undefined) this.#entrySizes.set(expr, stepEntry);
    }
    return before + saturate(count.max * step) + result;
  }

  #local(expr: Expr): LocalVariable {
    return { path: this.#path(expr), size: this.#size(expr), entrySize: this.#entrySize(expr) };
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr);
    const known = path[0] === '@result' ? [] : path;
    return {
      expr,
      type: typeOf(expr),
      size: this.#size(expr),
      declaredSize: this.#declaredSize(known),
      elementDeclaredSize: known.length === 0 ? undefined : this.#declaredSize([...known, '@items']),
    };
  }

  #size(expr: Expr): SizeEstimate | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const declared = this.#declaredSize(this.#path(expr));
    if (declared !== undefined) {
      this.#sizes.set(expr, declared);
      return declared;
    }
    if (isScalar(typeOf(expr))) return fixedSize(1);
    return expr.kind === 'ident' ? this.#locals.get(expr.name)?.size : undefined;
  }

  /** The size that the schema allows at a path; the first part is the variable, which is always the root. */
  #declaredSize(path: Path): SizeEstimate | undefined {
    if (path.length === 0) return undefined;
    let type: DeclaredType | undefined = this.#root;
    for (const part of path.slice(1)) {
      if (part === '@keys') return type.kind === 'map' ? { min: 0, max: 0 } : undefined;
      type = part === '@items' || part === '@values' ? type.element : type.fields.get(part);
      if (type === undefined) return undefined;
    }
    return { min: 0, max: maxElements(type) };
  }

  #path(expr: Expr): Path {
    const local = expr.kind === 'ident' ? this.#locals.get(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #entrySize(expr: Expr): EntrySize | undefined {
    const local = expr.kind === 'ident' ? this.#locals.get(expr.name) : undefined;
    return this.#entrySizes.get(expr) ?? local?.entrySize;
  }

  /** The result contains the elements of both values. */
  #unite(expr: Expr, a: Expr | undefined, b: Expr | undefined): void {
    const left = a === undefined ? undefined : this.#entrySize(a);
    const right = b === undefined ? undefined : this.#entrySize(b);
    if (left === undefined || right === undefined) return;
    const key = uniteSizes(left.key, right.key);
    this.#entrySizes.set(expr, { container: left.container, key, value: uniteSizes(left.value, right.value) });
  }

  #union(parts: readonly Expr[]): SizeEstimate {
    if (parts.length === 0) return { min: 0, max: 0 };
    return parts.map((part) => this.#size(part) ?? unknownSize).reduce(uniteSizes);
  }

  #copySizes(to: Expr, from: Expr | undefined): void {
    if (from === undefined) return;
    const size = this.#size(from);
    const entry = this.#entrySize(from);
    if (size !== undefined) this.#sizes.set(to, size);
    if (entry !== undefined) this.#entrySizes.set(to, entry);
  }
}

function literalSize(expr: Expr): SizeEstimate | undefined {
  if (expr.kind === 'list') return fixedSize(expr.elements.length);
  if (expr.kind === 'map') return fixedSize(expr.entries.length);
  if (expr.kind !== 'literal') return undefined;
  if (typeof expr.value === 'string') return fixedSize(codePointCount(expr.value));
  return fixedSize(expr.value instanceof Uint8Array ? expr.value.length : 1);
}

const scalarKinds: readonly CelTypeKind[] = ['bool', 'double', 'duration', 'int', 'timestamp', 'uint'];

function isScalar(type: CelType): boolean {
  return isOptional(type) ? isScalar(type.parameters[0] ?? dynType) : scalarKinds.includes(type.kind);
}

function typeOf(expr: Expr): CelType {
  return expr.type ?? dynType;
}

function sum(costs: readonly number[]): number {
  return costs.reduce((total, cost) => saturate(total + cost), 0);
}
