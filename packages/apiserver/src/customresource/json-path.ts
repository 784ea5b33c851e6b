import { JsonPathError, type PathStep, parseJsonPath } from '@evenkeel/schema/evaluate';
import { compareText, isJsonObject } from '../apimachinery/index.ts';

/** A parsed path, which can be evaluated any number of times. */
export interface JsonPath {
  /**
   * Returns the first value that matches the path. Returns undefined if there is none, or if the path cannot be
   * evaluated in this object: an index out of bounds, a filter on a value that is not a list, values that cannot be
   * compared. Never throws.
   */
  first(object: unknown): unknown;
}

/** The maximum number of values that a path may visit in one object. Only nested recursive descents come near it. */
const valuesMax = 100_000;

/**
 * Parses the path of a printer column or a selectable field (`.status.conditions[?(@.type=="Ready")].status`). `*` and
 * `..` visit the keys of an object in their own order; upstream's order is random.
 *
 * Source: client-go `util/jsonpath/jsonpath.go`, with missing keys allowed.
 *
 * @throws JsonPathError for a path that client-go cannot parse either
 */
export function compileJsonPath(text: string): JsonPath {
  const steps = parseJsonPath(text);
  return {
    first(object) {
      try {
        return new Walk().follow([object], steps)[0];
      } catch (error) {
        if (error instanceof JsonPathError) return undefined;
        throw error;
      }
    },
  };
}

/** Same as {@link compileJsonPath}, but returns undefined for an invalid path. */
export function compileIfJsonPath(text: string): JsonPath | undefined {
  try {
    return compileJsonPath(text);
  } catch (error) {
    if (error instanceof JsonPathError) return undefined;
    throw error;
  }
}

/** One evaluation of one path. */
class Walk {
  #left = valuesMax;

  follow(values: readonly unknown[], steps: readonly PathStep[]): readonly unknown[] {
    let current = values;
    for (const step of steps) current = this.#step(current, step);
    return current;
  }

  #step(values: readonly unknown[], step: PathStep): readonly unknown[] {
    this.#spend(values.length);
    switch (step.type) {
      case 'field':
        return values
          .filter((value) => isJsonObject(value) && Object.hasOwn(value, step.name))
          .map((value) => (value as Members)[step.name]);
      case 'wildcard':
        return values.flatMap((value) => this.#children(value));
      case 'recursive':
        return this.#descendants(values);
      case 'slice':
        return values.flatMap((value) => (isNull(value) ? [] : this.#slice(value, step)));
      case 'union':
        return step.paths.flatMap((path) => this.follow(values, path));
      case 'filter':
        return values.flatMap((value) => this.#filter(value, step));
      case 'literal':
        return values.map(() => step.value);
      case 'text':
        return [step.text];
      case 'identifier':
        throw new JsonPathError(`unrecognized identifier ${step.name}`);
    }
  }

  #spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new JsonPathError('the path touches too many values');
  }

  #children(value: unknown): readonly unknown[] {
    // Go sees the bytes of a string here.
    const children =
      typeof value === 'string'
        ? [...Buffer.from(value)]
        : Array.isArray(value)
          ? value
          : isJsonObject(value)
            ? Object.values(value)
            : [];
    this.#spend(children.length);
    return children;
  }

  /** Returns all objects and lists, each before its content. */
  #descendants(values: readonly unknown[]): unknown[] {
    const found: unknown[] = [];
    const open = [...values].reverse();
    while (open.length > 0) {
      const value = open.pop();
      const children = this.#children(value);
      if (children.length === 0) continue;
      found.push(value);
      if (typeof value === 'string') continue;
      for (let at = children.length - 1; at >= 0; at--) open.push(children[at]);
    }
    return found;
  }

  #slice(value: unknown, { start, end, step }: Extract<PathStep, { type: 'slice' }>): unknown[] {
    if (!Array.isArray(value)) throw new JsonPathError('not an array');
    const { length } = value;
    const from = start < 0 ? start + length : start;
    const asked = end === 'one' ? start + 1 : (end ?? length);
    const to = asked < 0 || (asked === 0 && end === 'one') ? asked + length : asked;
    if (from === to) return [];
    if (from < 0 || from >= length || to < 0 || to > length || from > to || step <= 0) {
      throw new JsonPathError('array index out of bounds');
    }
    return value.slice(from, to).filter((_, index) => index % step === 0);
  }

  #filter(value: unknown, { left, comparison }: Extract<PathStep, { type: 'filter' }>): unknown[] {
    if (!Array.isArray(value)) throw new JsonPathError('not an array');
    return value.filter((item: unknown) => {
      if (comparison === undefined) return this.#exists(item, left);
      const lefts = this.follow([item], left);
      if (lefts.length === 0) return false;
      if (lefts.length > 1) throw new JsonPathError('can only compare one element at a time');
      const rights = this.follow([item], comparison.right);
      if (rights.length === 0) return false;
      if (rights.length > 1) throw new JsonPathError('can only compare one element at a time');
      return compare(lefts[0], comparison.operator, rights[0]);
    });
  }

  /**
   * Whether a path exists. A path that fails counts as existing, because upstream checks its partial results, which are
   * never empty.
   */
  #exists(item: unknown, path: readonly PathStep[]): boolean {
    try {
      return this.follow([item], path).length > 0;
    } catch (error) {
      if (error instanceof JsonPathError && this.#left >= 0) return true;
      throw error;
    }
  }
}

/** Go's template comparisons: both values must have the same kind, and booleans have no order. */
function compare(left: unknown, operator: string, right: unknown): boolean {
  const kind = kindOf(left);
  if (kind === undefined || kind !== kindOf(right)) throw new JsonPathError('incompatible types for comparison');
  const [a, b] = kind === 'string' ? [compareText(String(left), String(right)), 0] : [Number(left), Number(right)];
  if (operator === '==') return a === b;
  if (operator === '!=') return a !== b;
  if (kind === 'boolean') throw new JsonPathError('invalid type for comparison');
  if (operator === '<') return a < b;
  if (operator === '<=') return a <= b;
  if (operator === '>') return a > b;
  if (operator === '>=') return a >= b;
  throw new JsonPathError(`unrecognized filter operator ${operator}`);
}

function kindOf(value: unknown): 'string' | 'boolean' | 'integer' | 'float' | undefined {
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'float';
  return typeof value === 'string' || typeof value === 'boolean' ? (typeof value as 'string' | 'boolean') : undefined;
}

type Members = Readonly<Record<string, unknown>>;

function isNull(value: unknown): boolean {
  return value === null || value === undefined;
}
