/** A parsed JSON object. Its keys come from outside: read with {@link valueAt}, write with {@link setKey}. */
export interface JsonObject {
  [key: string]: unknown;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Returns the object's own value of `key`. Returns undefined if there is none, also for names that every object
 * inherits.
 */
export function valueAt(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Sets an own key. `__proto__` becomes an ordinary key and does not change the prototype. */
export function setKey(object: JsonObject, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

/** Whether the value is an object with at least one own key. */
export function hasMembers<T extends object>(value: T | undefined): value is T {
  return value !== undefined && Object.keys(value).length > 0;
}

/**
 * Whether Go's JSON decoder decodes a number to an int64. JavaScript does not distinguish 1 from 1.0, so both count as
 * integers. Integers that JavaScript cannot represent arrive as bigint.
 */
export function isInt64(value: unknown): value is number | bigint {
  if (typeof value === 'bigint') return value >= -(2n ** 63n) && value < 2n ** 63n;
  return Number.isInteger(value) && Math.abs(value as number) < 2 ** 63;
}

/**
 * Values nested deeper than this are walked in pieces: the API server accepts 10,000 levels, which exceed the stack.
 */
const deepest = 500;

/**
 * Whether two values are the same JSON (`equality.Semantic.DeepEqual` for JSON values). The order of keys does not
 * matter, `undefined` in an object is an absent key, and prototypes are ignored. Works at any depth. Does not walk
 * shared parts.
 */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return isSameScalar(left, right);
  const deeper: [unknown, unknown][] = [];
  let isEqual = isEqualTo(left, right, 0, deeper);
  for (let pair = deeper.pop(); isEqual && pair !== undefined; pair = deeper.pop()) {
    isEqual = isEqualTo(...pair, 0, deeper);
  }
  return isEqual;
}

/** Adds pairs that are nested too deep to `deeper` instead of comparing them. */
function isEqualTo(left: unknown, right: unknown, depth: number, deeper: [unknown, unknown][]): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return isSameScalar(left, right);
  }
  if (depth === deepest) {
    deeper.push([left, right]);
    return true;
  }
  if (Array.isArray(left)) return Array.isArray(right) && isEqualList(left, right, depth, deeper);
  if (Array.isArray(right)) return false;
  const [object, other] = [left as JsonObject, right as JsonObject];
  let present = 0;
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value === undefined) continue;
    present++;
    if (!Object.hasOwn(other, key) || !isEqualTo(value, other[key], depth + 1, deeper)) return false;
  }
  // All members of `value` were found in `other`, which usually has no additional keys.
  const others = Object.keys(other);
  return others.length === present || others.filter((key) => other[key] !== undefined).length === present;
}

function isEqualList(
  left: readonly unknown[],
  right: readonly unknown[],
  depth: number,
  deeper: [unknown, unknown][],
): boolean {
  if (left.length !== right.length) return false;
  for (let index = 0; index < left.length; index++) {
    if (!isEqualTo(left[index], right[index], depth + 1, deeper)) return false;
  }
  return true;
}

/** Integers that JavaScript cannot represent arrive as bigint, smaller ones of the same document as numbers. */
function isSameScalar(left: unknown, right: unknown): boolean {
  if (typeof left === 'bigint' || typeof right === 'bigint') {
    // biome-ignore lint/suspicious/noDoubleEquals: a bigint equals the number of the same value
    return isNumeric(left) && isNumeric(right) && left == right;
  }
  return Object.is(left, right);
}

/** Whether a value is a number of JSON. An integer that a `number` cannot represent is a `bigint`. */
export function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/**
 * Returns a deep copy of a JSON value without prototypes. Takes a tenth of the time of `structuredClone`. Works at any
 * depth.
 */
export function copyJson<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  const pieces: Piece[] = [];
  const copy = copyOf(value, 0, pieces);
  for (let piece = pieces.pop(); piece !== undefined; piece = pieces.pop()) fill(piece.copy, piece.of, 0, pieces);
  return copy;
}

/** An empty copy and the value that it must be filled from. */
interface Piece {
  readonly copy: object;
  readonly of: object;
}

function copyOf<T>(value: T, depth: number, pieces: Piece[]): T {
  if (typeof value !== 'object' || value === null) return value;
  const copy = Array.isArray(value) ? [] : {};
  if (depth < deepest) fill(copy, value, depth, pieces);
  else pieces.push({ copy, of: value });
  return copy as T;
}

function fill(copy: object, value: object, depth: number, pieces: Piece[]): void {
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) (copy as unknown[]).push(copyOf(item, depth + 1, pieces));
    return;
  }
  for (const key of Object.keys(value)) {
    setKey(copy as JsonObject, key, copyOf((value as JsonObject)[key], depth + 1, pieces));
  }
}
