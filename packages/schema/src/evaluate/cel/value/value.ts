import { compareText } from '../../apimachinery.ts';
import { countVisits, limitList } from './evaluation-limit.ts';
import { EvaluationFault, noSuchOverload } from './fault.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  timestampType,
  typeType,
  uintType,
} from './type.ts';

/**
 * A value of an expression. Frequent types are plain JavaScript values: null, boolean, string, and int as a number if it is
 * a safe integer, otherwise as a bigint. A number is therefore always an int; doubles and all other types are objects.
 */
export type CelValue = null | boolean | number | bigint | string | Uint8Array | CelObject;

/** Every value that is neither a plain JavaScript value nor bytes. */
export abstract class CelObject {
  abstract readonly celType: CelType;
  /**
   * Whether the other value is equal by the rules of `==`. As in Go, an unreadable value can be compared like any other; only
   * lists and maps of an object's data return such values.
   */
  abstract equals(other: CelValue | EvaluationFault): boolean;
}

export class CelDouble extends CelObject {
  readonly celType = doubleType;
  readonly value: number;

  constructor(value: number) {
    super();
    this.value = value;
  }

  equals(other: CelValue): boolean {
    return compareNumbers(this, other) === 0;
  }
}

export class CelUint extends CelObject {
  readonly celType = uintType;
  readonly value: bigint;

  constructor(value: bigint) {
    super();
    this.value = value;
  }

  equals(other: CelValue): boolean {
    return compareNumbers(this, other) === 0;
  }
}

/** A point in time in nanoseconds since 1970, with its original offset, which `string()` repeats. */
export class CelTimestamp extends CelObject {
  readonly celType = timestampType;
  readonly nanoseconds: bigint;
  readonly offsetMinutes: number;

  constructor(nanoseconds: bigint, offsetMinutes = 0) {
    super();
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTimestamp && other.nanoseconds === this.nanoseconds;
  }
}

export class CelDuration extends CelObject {
  readonly celType = durationType;
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    super();
    this.nanoseconds = nanoseconds;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelDuration && other.nanoseconds === this.nanoseconds;
  }
}

/** A type as a value: the result of `type(x)` and the value of `int`. */
export class CelTypeValue extends CelObject {
  readonly celType = typeType();
  readonly type: CelType;

  constructor(type: CelType) {
    super();
    this.type = type;
  }

  equals(other: CelValue): boolean {
    return other instanceof CelTypeValue && other.type.name === this.type.name;
  }
}

export class CelOptional extends CelObject {
  static readonly none: CelOptional = new CelOptional();
  readonly celType = optionalType(dynType);
  readonly #value: CelValue | undefined;

  private constructor(value?: CelValue) {
    super();
    this.#value = value;
  }

  static of(value: CelValue): CelOptional {
    return new CelOptional(value);
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  /** Throws EvaluationFault if it is missing. */
  get value(): CelValue {
    if (this.#value === undefined) throw new EvaluationFault('optional.none() dereference');
    return this.#value;
  }

  equals(other: CelValue): boolean {
    if (!(other instanceof CelOptional)) return false;
    if (this.#value === undefined || other.#value === undefined) return this.#value === other.#value;
    return isEqual(this.#value, other.#value);
  }
}

/** A list in any representation. */
export abstract class CelList extends CelObject implements Iterable<CelValue> {
  readonly celType = listType(dynType);
  abstract readonly size: number;
  /** The element at an existing index. */
  abstract at(index: number): CelValue;

  *[Symbol.iterator](): IterableIterator<CelValue> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }

  equals(other: CelValue | EvaluationFault): boolean {
    if (!(other instanceof CelList) || other.size !== this.size) return false;
    countVisits(this.size + 1);
    for (let i = 0; i < this.size; i++) {
      if (
        differs(
          () => this.at(i),
          () => other.at(i),
        )
      )
        return false;
    }
    return true;
  }

  /** Whether an element equals the value; an error of a comparison is thrown only if no element does. */
  contains(value: CelValue): boolean {
    let fault: unknown;
    for (let i = 0; i < this.size; i++) {
      try {
        if (isEqual(this.at(i), value)) return true;
      } catch (error) {
        fault ??= error;
      }
    }
    if (fault !== undefined) throw fault;
    return false;
  }

  /** The concatenation of this list and another, without copying either. */
  concat(other: CelList): CelList {
    return other.size === 0 ? this : this.size === 0 ? other : new ConcatenatedList(this, other);
  }
}

/** A list of values that an expression created. */
export class ArrayList extends CelList {
  readonly #elements: readonly CelValue[];

  constructor(elements: readonly CelValue[]) {
    super();
    this.#elements = elements;
  }

  get size(): number {
    return this.#elements.length;
  }

  at(index: number): CelValue {
    return this.#elements[index] ?? null;
  }
}

class ConcatenatedList extends CelList {
  readonly size: number;
  readonly #left: CelList;
  readonly #right: CelList;

  constructor(left: CelList, right: CelList) {
    super();
    this.#left = left;
    this.#right = right;
    this.size = left.size + right.size;
    limitList(this.size);
  }

  at(index: number): CelValue {
    return index < this.#left.size ? this.#left.at(index) : this.#right.at(index - this.#left.size);
  }
}

/** A map in any representation. Objects of a custom resource are also maps if their type does not matter. */
export abstract class CelMap extends CelObject {
  readonly celType = mapType(dynType, dynType);
  abstract readonly size: number;
  /** The value under the key, or undefined. Throws EvaluationFault if a key of this type is impossible. */
  abstract find(key: CelValue): CelValue | undefined;
  abstract keys(): Iterable<CelValue>;

  equals(other: CelValue | EvaluationFault): boolean {
    if (!(other instanceof CelMap) || other.size !== this.size) return false;
    countVisits(this.size + 1);
    for (const key of this.keys()) {
      const theirs = attempt(() => other.find(key));
      if (theirs === undefined) return false;
      if (
        differs(
          () => this.find(key) ?? null,
          () => theirs,
        )
      )
        return false;
    }
    return true;
  }
}

/** Keys and values by canonical keys. */
export type MapEntries = ReadonlyMap<unknown, readonly [CelValue, CelValue]>;

/** A map that an expression created. */
export class EntryMap extends CelMap {
  readonly #entries: MapEntries;

  /** The entries by canonical key. */
  constructor(entries: MapEntries) {
    super();
    this.#entries = entries;
  }

  get size(): number {
    return this.#entries.size;
  }

  find(key: CelValue): CelValue | undefined {
    return this.#entries.get(canonicalKey(key))?.[1];
  }

  *keys(): Iterable<CelValue> {
    for (const [key] of this.#entries.values()) yield key;
  }
}

/** The canonical form of a key: the same for all equal numbers, otherwise the value itself. */
export function canonicalKey(key: CelValue): unknown {
  if (key instanceof CelUint) return intValue(key.value);
  if (key instanceof CelDouble) {
    if (Number.isNaN(key.value)) return key;
    return Number.isInteger(key.value) ? intValue(BigInt(key.value)) : key.value;
  }
  return key;
}

/** The int with this value, as a number or bigint. */
export function intValue(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** The argument of a function that takes a string. */
export function stringOf(value: CelValue | undefined): string {
  if (typeof value !== 'string') throw noSuchOverload();
  return value;
}

export function isInt(value: CelValue): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** The type of a value, without the types of its elements. */
export function typeOfValue(value: CelValue): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'number':
    case 'bigint':
      return intType;
    case 'boolean':
      return boolType;
    default:
      if (value === null) return nullType;
      return value instanceof Uint8Array ? bytesType : value.celType;
  }
}

/** `==`: numbers of different types compare by value, null equals only null. */
export function isEqual(left: CelValue, right: CelValue): boolean {
  if (left === null || right === null) return left === right;
  if (typeof left === 'number' || typeof left === 'bigint') return left === right || compareNumbers(left, right) === 0;
  if (typeof left === 'string' || typeof left === 'boolean') return left === right;
  if (left instanceof Uint8Array) {
    return right instanceof Uint8Array && left.length === right.length && left.every((byte, i) => byte === right[i]);
  }
  return left.equals(right);
}

/** The result of `read`, or the fault that it throws. */
export function attempt<T>(read: () => T): T | EvaluationFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof EvaluationFault) return error;
    throw error;
  }
}

/** Go's `left.Equal(right)`, by which lists and maps of an object's data compare their elements. */
export function equalsInData(left: CelValue, right: CelValue | EvaluationFault): boolean {
  if (left instanceof CelObject) return left.equals(right);
  return !(right instanceof EvaluationFault) && isEqual(left, right);
}

/** Whether two elements differ in cel-go's lists and maps, for which a failed comparison counts as equality. */
function differs(left: () => CelValue, right: () => CelValue | EvaluationFault): boolean {
  const mine = attempt(left);
  if (mine instanceof EvaluationFault) return false;
  const theirs = attempt(right);
  if (mine === null || theirs === null) return mine !== theirs;
  const isSame = attempt(() => equalsInData(mine, theirs));
  return isSame === false;
}

/**
 * -1, 0 or 1 for two numbers of any of the three types; undefined if one is not a number or is NaN. A comparison with a
 * double converts to double, as upstream does (cel-go v0.26 `common/types/compare.go`).
 */
export function compareNumbers(left: CelValue, right: CelValue): number | undefined {
  const a = left instanceof CelDouble || left instanceof CelUint ? left.value : left;
  const b = right instanceof CelDouble || right instanceof CelUint ? right.value : right;
  if ((typeof a !== 'number' && typeof a !== 'bigint') || (typeof b !== 'number' && typeof b !== 'bigint')) {
    return undefined;
  }
  if (left instanceof CelDouble || right instanceof CelDouble) return order(Number(a), Number(b));
  return order(a, b);
}

/** Compares two values of one ordered type as `<` does. Throws EvaluationFault for anything else. */
export function compareValues(left: CelValue, right: CelValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0;
  if (typeof left === 'string' && typeof right === 'string') return compareText(left, right);
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (left instanceof Uint8Array && right instanceof Uint8Array) return compareBytes(left, right);
  if (
    (left instanceof CelTimestamp && right instanceof CelTimestamp) ||
    (left instanceof CelDuration && right instanceof CelDuration)
  ) {
    return order(left.nanoseconds, right.nanoseconds) ?? 0;
  }
  const compared = compareNumbers(left, right);
  if (compared !== undefined) return compared;
  if (isNaNValue(left) || isNaNValue(right)) throw new EvaluationFault('NaN values cannot be ordered');
  throw noSuchOverload();
}

function compareBytes(left: Uint8Array, right: Uint8Array): number {
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i++) {
    const a = left[i] ?? 0;
    const b = right[i] ?? 0;
    if (a !== b) return a < b ? -1 : 1;
  }
  return Math.sign(left.length - right.length);
}

function isNaNValue(value: CelValue): boolean {
  return value instanceof CelDouble && Number.isNaN(value.value);
}

function order(a: number | bigint, b: number | bigint): number | undefined {
  if (a < b) return -1;
  if (a > b) return 1;
  // NaN is neither smaller than, greater than, nor equal to any number.
  return Number.isNaN(Number(a)) || Number.isNaN(Number(b)) ? undefined : 0;
}
