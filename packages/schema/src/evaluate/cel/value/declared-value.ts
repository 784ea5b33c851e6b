import { goTypeOf, isInt64, type JsonObject, jsonEqual, valueAt } from '../../apimachinery.ts';
import { EvaluationFault, noSuchOverload } from './fault.ts';
import { escapeFieldName } from './field-name.ts';
import { dynType } from './type.ts';
import {
  ArrayList,
  attempt,
  CelDouble,
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  equalsInData,
  intValue,
  isInt,
} from './value.ts';

/** How the JSON of an element becomes a value. */
interface ElementReader {
  fromJson(json: unknown): CelValue;
}

/** How the JSON of an object's properties becomes values. */
interface PropertyReader {
  /** The properties by their names. */
  readonly properties: ReadonlyMap<string, ElementReader>;
  /** The property for a field, by its name in expressions. */
  property(field: string): { readonly name: string; readonly type: ElementReader } | undefined;
}

/** An array of the object, not copied, read with the schema of its items. */
export class DeclaredList extends CelList {
  readonly json: readonly unknown[];
  readonly #items: ElementReader;

  constructor(json: readonly unknown[], items: ElementReader) {
    super();
    this.json = json;
    this.#items = items;
  }

  get size(): number {
    return this.json.length;
  }

  at(index: number): CelValue {
    return this.#items.fromJson(this.json[index]);
  }

  override equals(other: CelValue | EvaluationFault): boolean {
    const list = listOf(other);
    if (list.size !== this.size) return false;
    for (let i = 0; i < this.size; i++) {
      const theirs = attempt(() => list.at(i));
      if (!equalsInData(this.at(i), theirs)) return false;
    }
    return true;
  }

  override contains(value: CelValue): boolean {
    let fault: EvaluationFault | undefined;
    for (let i = 0; i < this.size; i++) {
      const isSame = attempt(() => equalsInData(this.at(i), value));
      if (isSame === true) return true;
      if (isSame !== false) fault ??= isSame;
    }
    if (fault !== undefined) throw fault;
    return false;
  }
}

/** A list with the elements of another list, but other comparison and concatenation. */
abstract class ListOfElements extends CelList {
  protected readonly elements: CelList;

  constructor(elements: CelList) {
    super();
    this.elements = elements;
  }

  get size(): number {
    return this.elements.size;
  }

  at(index: number): CelValue {
    return this.elements.at(index);
  }

  override contains(value: CelValue): boolean {
    return this.elements.contains(value);
  }
}

/**
 * A list that is a set: equal in any order, and adding skips existing elements. Elements are identified by their JSON, so
 * dates, times and durations, and integers among floating-point numbers, are never found again.
 * Source: k8s.io/apiserver v0.36 `pkg/cel/common/valuesunstructured.go`.
 */
export class SetList extends ListOfElements {
  readonly #known: readonly unknown[];

  constructor(elements: CelList, known: readonly unknown[]) {
    super(elements);
    this.#known = known;
  }

  override equals(other: CelValue | EvaluationFault): boolean {
    const list = listOf(other);
    if (list.size !== this.size) return false;
    const known = this.#json();
    for (let i = 0; i < list.size; i++) if (!known.has(jsonOf(attempt(() => list.at(i))))) return false;
    return true;
  }

  override concat(other: CelList): CelList {
    const known = this.#json();
    const added = [...other].filter((element) => {
      const json = jsonOf(element);
      if (known.has(json)) return false;
      known.add(json);
      return true;
    });
    return new SetList(this.elements.concat(new ArrayList(added)), [...this.#known, ...added.map(jsonOf)]);
  }

  #json(): Set<unknown> {
    return new Set(this.#known.map((json) => (isInt64(json) ? intValue(BigInt(json)) : hashable(json))));
  }
}

/** The JSON by which an element of a set is searched; a value that never occurs if the element has no JSON. */
function jsonOf(value: CelValue | EvaluationFault): unknown {
  if (value instanceof EvaluationFault) return Symbol('nowhere');
  if (value instanceof Uint8Array) throw unhashable('[]uint8');
  if (typeof value === 'string' || typeof value === 'boolean' || isInt(value)) return value;
  return value instanceof CelDouble && !isInt64(value.value) ? value.value : Symbol('nowhere');
}

function hashable(json: unknown): unknown {
  if (typeof json === 'object' && json !== null) throw unhashable(goTypeOf(json));
  return json;
}

/** Upstream panics and reports it. */
function unhashable(type: string): EvaluationFault {
  return new EvaluationFault(`internal error: runtime error: hash of unhashable type ${type}`);
}

/**
 * A list that is a map by keys of its items: equal in any order, and adding replaces existing items. Items are identified
 * by the values in their JSON under the escaped names of the keys, which do not exist for a name such as `a-b`.
 * Source: k8s.io/apiserver v0.36 `pkg/cel/common/valuesunstructured.go`.
 */
export class KeyedList extends ListOfElements {
  readonly #keys: readonly string[];

  constructor(elements: CelList, keys: readonly string[]) {
    super(elements);
    this.#keys = keys;
  }

  override equals(other: CelValue | EvaluationFault): boolean {
    const list = listOf(other);
    if (list.size !== this.size) return false;
    const mine = this.#byKey();
    for (let i = 0; i < list.size; i++) {
      const theirs = attempt(() => list.at(i));
      const match = mine.get(this.#keyOf(theirs));
      if (match === undefined || !equalsInData(match, theirs)) return false;
    }
    return true;
  }

  override concat(other: CelList): CelList {
    const merged = this.#byKey();
    for (const element of other) merged.set(this.#keyOf(element), element);
    return new KeyedList(new ArrayList([...merged.values()]), this.#keys);
  }

  #byKey(): Map<unknown, CelValue> {
    const byKey = new Map<unknown, CelValue>();
    for (let i = 0; i < this.size; i++) {
      const element = attempt(() => this.at(i));
      if (!(element instanceof EvaluationFault)) byKey.set(this.#keyOf(element), element);
    }
    return byKey;
  }

  /** A value that never occurs, for an element that is not an item. */
  #keyOf(element: CelValue | EvaluationFault): unknown {
    if (!(element instanceof DeclaredMap || element instanceof DeclaredObject)) return Symbol('nowhere');
    const parts = this.#keys.map((key) => hashable(valueAt(element.json, escapeFieldName(key) ?? key) ?? null));
    return JSON.stringify(parts, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}

/** An object with `additionalProperties`, not copied, read with their schema. */
export class DeclaredMap extends CelMap {
  readonly json: Readonly<JsonObject>;
  readonly #values: ElementReader;

  constructor(json: Readonly<JsonObject>, values: ElementReader) {
    super();
    this.json = json;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    return Object.hasOwn(this.json, key) ? this.#values.fromJson(this.json[key]) : undefined;
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.json);
  }

  override equals(other: CelValue | EvaluationFault): boolean {
    const map = mapOf(other);
    if (map.size !== this.size) return false;
    for (const key of Object.keys(this.json)) {
      const theirs = attempt(() => map.find(key));
      if (theirs === undefined || !equalsInData(this.#values.fromJson(this.json[key]), theirs)) return false;
    }
    return true;
  }
}

/** An object with `properties`, not copied, read with their schemas by escaped names. */
export class DeclaredObject extends CelMap {
  readonly json: Readonly<JsonObject>;
  readonly #declared: PropertyReader;

  constructor(json: Readonly<JsonObject>, declared: PropertyReader) {
    super();
    this.json = json;
    this.#declared = declared;
  }

  get size(): number {
    return Object.keys(this.json).length;
  }

  /** A null field counts as missing. */
  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const property = this.#declared.property(key);
    if (property === undefined || !Object.hasOwn(this.json, property.name)) return undefined;
    const json = this.json[property.name];
    return json === null || json === undefined ? undefined : property.type.fromJson(json);
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.json)) {
      if (this.#declared.properties.has(name)) yield escapeFieldName(name) ?? name;
    }
  }

  /**
   * Fields without a declared type are compared as JSON. Fields with a type are searched as if the property's name were
   * escaped, as upstream does, and fields that are not found count as equal.
   */
  override equals(other: CelValue | EvaluationFault): boolean {
    const map = mapOf(other);
    if (map.size !== this.size) return false;
    for (const name of Object.keys(this.json)) {
      if (this.#declared.properties.has(name)) {
        const mine = this.find(name);
        const theirs = attempt(() => map.find(name));
        if (mine === undefined || theirs === undefined) {
          if (mine !== theirs) return false;
        } else if (!equalsInData(mine, theirs)) {
          return false;
        }
      } else if (!(map instanceof DeclaredObject)) {
        throw noSuchOverload();
      } else if (Object.hasOwn(map.json, name) && !jsonEqual(this.json[name], map.json[name])) {
        return false;
      }
    }
    return true;
  }
}

/** Data preserved by `x-kubernetes-preserve-unknown-fields`. It can only be compared. */
export class PreservedValue extends CelObject {
  readonly celType = { ...dynType, name: 'unknown' };
  readonly #json: unknown;

  constructor(json: unknown) {
    super();
    this.#json = json;
  }

  equals(other: CelValue | EvaluationFault): boolean {
    return other instanceof PreservedValue && jsonEqual(this.#json, other.#json);
  }
}

function listOf(other: CelValue | EvaluationFault): CelList {
  if (other instanceof CelList) return other;
  throw other instanceof EvaluationFault ? other : noSuchOverload();
}

function mapOf(other: CelValue | EvaluationFault): CelMap {
  if (other instanceof CelMap) return other;
  throw other instanceof EvaluationFault ? other : noSuchOverload();
}
