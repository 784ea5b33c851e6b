import { type JsonObject, jsonEqual } from '../json-value.ts';
import type { DeclaredType } from './declared-type.ts';
import { noSuchOverload } from './fault.ts';
import { escapeFieldName } from './field-name.ts';
import { dynType } from './type.ts';
import { ArrayList, CelList, CelMap, CelObject, type CelValue, canonicalKey, isEqual } from './value.ts';

/** An array of the object as it is, read through the schema of its items. */
export class DeclaredList extends CelList {
  readonly #json: readonly unknown[];
  readonly #items: DeclaredType;

  constructor(json: readonly unknown[], items: DeclaredType) {
    super();
    this.#json = json;
    this.#items = items;
  }

  get size(): number {
    return this.#json.length;
  }

  at(index: number): CelValue {
    return this.#items.fromJson(this.#json[index]);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList)) throw noSuchOverload();
    return super.equals(other);
  }
}

/**
 * A list that is a set, or a map by keys of its items: equal in any order, and adding to it replaces what is there.
 * Source: k8s.io/apiserver `pkg/cel/common/valuesunstructured.go`.
 */
export class KeyedList extends CelList {
  readonly #elements: CelList;
  readonly #keyOf: (element: CelValue) => unknown;
  /** Whether an added element takes the place of the one with its key; in a set the first stays. */
  readonly #overwrites: boolean;

  constructor(elements: CelList, keyOf: (element: CelValue) => unknown, overwrites: boolean) {
    super();
    this.#elements = elements;
    this.#keyOf = keyOf;
    this.#overwrites = overwrites;
  }

  static asSet(elements: CelList): KeyedList {
    return new KeyedList(elements, canonicalKey, false);
  }

  static asMap(elements: CelList, keys: readonly string[]): KeyedList {
    const fields = keys.map((key) => escapeFieldName(key) ?? key);
    const keyOf = (element: CelValue): unknown => {
      const parts = fields.map((field) =>
        element instanceof CelMap ? canonicalKey(element.find(field) ?? null) : null,
      );
      return parts.length === 1
        ? parts[0]
        : JSON.stringify(parts, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
    };
    return new KeyedList(elements, keyOf, true);
  }

  get size(): number {
    return this.#elements.size;
  }

  at(index: number): CelValue {
    return this.#elements.at(index);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    const mine = new Map([...this].map((element) => [this.#keyOf(element), element]));
    return [...other].every((element) => {
      const match = mine.get(this.#keyOf(element));
      return match !== undefined && (!this.#overwrites || isEqual(match, element));
    });
  }

  override concat(other: CelList): CelList {
    const merged = new Map([...this].map((element) => [this.#keyOf(element), element]));
    for (const element of other) {
      const key = this.#keyOf(element);
      if (this.#overwrites || !merged.has(key)) merged.set(key, element);
    }
    return new KeyedList(new ArrayList([...merged.values()]), this.#keyOf, this.#overwrites);
  }
}

/** An object with `additionalProperties` as it is, read through their schema. */
export class DeclaredMap extends CelMap {
  readonly #json: Readonly<JsonObject>;
  readonly #values: DeclaredType;

  constructor(json: Readonly<JsonObject>, values: DeclaredType) {
    super();
    this.#json = json;
    this.#values = values;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    return Object.hasOwn(this.#json, key) ? this.#values.fromJson(this.#json[key]) : undefined;
  }

  keys(): Iterable<CelValue> {
    return Object.keys(this.#json);
  }

  override equals(other: CelValue): boolean {
    if (!(other instanceof CelMap)) throw noSuchOverload();
    return super.equals(other);
  }
}

/** An object with `properties` as it is, read through their schemas by escaped names. */
export class DeclaredObject extends CelMap {
  readonly #json: Readonly<JsonObject>;
  readonly #declared: DeclaredType;

  constructor(json: Readonly<JsonObject>, declared: DeclaredType) {
    super();
    this.#json = json;
    this.#declared = declared;
  }

  get size(): number {
    return Object.keys(this.#json).length;
  }

  /** A null field counts as absent. */
  find(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string') throw noSuchOverload();
    const property = this.#declared.property(key);
    if (property === undefined || !Object.hasOwn(this.#json, property.name)) return undefined;
    const json = this.#json[property.name];
    return json === null || json === undefined ? undefined : property.type.fromJson(json);
  }

  *keys(): Iterable<CelValue> {
    for (const name of Object.keys(this.#json)) {
      if (this.#declared.properties.has(name)) yield escapeFieldName(name) ?? name;
    }
  }

  /** Fields without a declared type are compared as JSON. */
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelMap)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    for (const name of Object.keys(this.#json)) {
      if (this.#declared.properties.has(name)) {
        const field = escapeFieldName(name) ?? name;
        const mine = this.find(field);
        const theirs = other.find(field);
        if (mine === undefined || theirs === undefined) {
          if (mine !== theirs) return false;
        } else if (!isEqual(mine, theirs)) {
          return false;
        }
      } else if (!(other instanceof DeclaredObject)) {
        throw noSuchOverload();
      } else if (Object.hasOwn(other.#json, name) && !jsonEqual(this.#json[name], other.#json[name])) {
        return false;
      }
    }
    return true;
  }
}

/** Data kept by `x-kubernetes-preserve-unknown-fields`: good for nothing but comparison. */
export class PreservedValue extends CelObject {
  readonly celType = { ...dynType, name: 'unknown' };
  readonly #json: unknown;

  constructor(json: unknown) {
    super();
    this.#json = json;
  }

  equals(other: CelValue): boolean {
    return other instanceof PreservedValue && jsonEqual(this.#json, other.#json);
  }
}
