import { isNumeric, stringifyJson } from '../apimachinery/index.ts';

/** One step of a path: a field's name, or the selector of a list element. */
export type PathElement = string | KeyElement | ValueElement | IndexElement;

/**
 * The element of an associative list with these values of its key fields. Names are sorted, and values are parallel to
 * them.
 */
export class KeyElement {
  readonly names: readonly string[];
  readonly values: readonly unknown[];

  constructor(names: readonly string[], values: readonly unknown[]) {
    this.names = names;
    this.values = values;
  }
}

/** The element of a set with this value. */
export class ValueElement {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The element at an index. Only managedFields entries of other clients contain one. */
export class IndexElement {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** The order of elements in a set: names, keys, values, indexes. */
export function compareElements(a: PathElement, b: PathElement): number {
  if (typeof a === 'string') {
    if (typeof b !== 'string') return -1;
    return a === b ? 0 : a < b ? -1 : 1;
  }
  if (a instanceof KeyElement && b instanceof KeyElement) return compareKeys(a, b);
  if (a instanceof ValueElement && b instanceof ValueElement) return compareValues(a.value, b.value);
  if (a instanceof IndexElement && b instanceof IndexElement) return a.index - b.index;
  return rankOfElement(a) - rankOfElement(b);
}

function rankOfElement(element: PathElement): number {
  if (typeof element === 'string') return 0;
  return element instanceof KeyElement ? 1 : element instanceof ValueElement ? 2 : 3;
}

function compareKeys(a: KeyElement, b: KeyElement): number {
  for (let i = 0; i < a.names.length && i < b.names.length; i++) {
    const byName = compareElements(a.names[i] ?? '', b.names[i] ?? '');
    if (byName !== 0) return byName;
    const byValue = compareValues(a.values[i], b.values[i]);
    if (byValue !== 0) return byValue;
  }
  return a.names.length - b.names.length;
}

/** A total order over scalars: numbers, strings, booleans. Other values compare by their JSON. */
function compareValues(a: unknown, b: unknown): number {
  if (a === b) return 0;
  const rank = rankOfValue(a) - rankOfValue(b);
  if (rank !== 0) return rank;
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : a > b ? 1 : 0;
  if (typeof a === 'boolean') return a ? 1 : -1;
  const [left, right] = typeof a === 'string' ? [a, String(b)] : [stringifyJson(a), stringifyJson(b)];
  return left === right ? 0 : left < right ? -1 : 1;
}

function rankOfValue(value: unknown): number {
  if (isNumeric(value)) return 0;
  if (typeof value === 'string') return 1;
  return typeof value === 'boolean' ? 2 : 3;
}

/** Returns a value, suitable as a key of a `Map`, that identifies an element of one list. */
export function identityOf(element: PathElement): unknown {
  if (element instanceof ValueElement) return element.value;
  if (element instanceof KeyElement) {
    const [value] = element.values;
    if (element.names.length === 1 && typeof value !== 'object') return value;
    return stringifyJson([element.names, element.values]);
  }
  return typeof element === 'string' ? element : element.index;
}

/** Formats a path as the server prints it: `.spec.ports[port=80,protocol="TCP"].name`. */
export function formatPath(path: readonly PathElement[]): string {
  return path.map(formatElement).join('');
}

export function formatElement(element: PathElement): string {
  if (typeof element === 'string') return `.${element}`;
  if (element instanceof ValueElement) return `[=${stringifyJson(element.value)}]`;
  if (element instanceof IndexElement) return `[${element.index}]`;
  return `[${element.names.map((name, i) => `${name}=${stringifyJson(element.values[i])}`).join(',')}]`;
}
