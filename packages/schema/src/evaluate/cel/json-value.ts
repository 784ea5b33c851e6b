import { isDeepStrictEqual } from 'node:util';
import type { DeclaredType } from './declared-type.ts';
import { noSuchOverload } from './fault.ts';
import { escapeFieldName } from './field-name.ts';
import type { ExpressionSchema } from './schema-type.ts';
import { dynType } from './type.ts';
import { ArrayList, CelList, CelMap, CelObject, type CelValue, canonicalKey, isEqual } from './value.ts';

type Json = Readonly<Record<string, unknown>>;

/** An array of the object as it is, read through the schema of its items. */
export class JsonList extends CelList {
  readonly #json: readonly unknown[];
  readonly #items: DeclaredType;
  readonly #schema: ExpressionSchema;

  constructor(json: readonly unknown[], items: DeclaredType, schema: ExpressionSchema) {
    super();
    this.#json = json;
    this.#items = items;
    this.#schema = schema;
  }

  get size(): number {
    return this.#json.length;
  }

  at(index: number): CelValue {
    return this.#items.fromJson(this.#json[index]);
  }

  /** Sets, and lists that are maps by their keys, are equal in any order. */
  override equals(other: CelValue): boolean {
    if (!(other instanceof CelList)) throw noSuchOverload();
    if (other.size !== this.size) return false;
    switch (this.#schema['x-kubernetes-list-type']) {
      case 'set': {
        const mine = new Set([...this].map(setKey));
        return [...other].every((value) => mine.has(setKey(value)));
      }
      case 'map': {
        const mine = new Map([...this].map((value) => [this.#mapKey(value), value]));
        return [...other].every((value) => {
          const match = mine.get(this.#mapKey(value));
          return match !== undefined && isEqual(match, value);
        });
      }
      default:
        return super.equals(other);
    }
  }

  /** Adding to a set or to a list that is a map by its keys replaces what is already there. */
  override concat(other: CelList): CelList {
    const type = this.#schema['x-kubernetes-list-type'];
    if (type !== 'set' && type !== 'map') return super.concat(other);
    const keyOf = type === 'set' ? setKey : (value: CelValue) => this.#mapKey(value);
    const merged = new Map<unknown, CelValue>([...this].map((value) => [keyOf(value), value]));
    for (const value of other) if (type === 'map' || !merged.has(setKey(value))) merged.set(keyOf(value), value);
    return new ArrayList([...merged.values()]);
  }

  #mapKey(value: CelValue): unknown {
    const keys = this.#schema['x-kubernetes-list-map-keys'] ?? [];
    const parts = keys.map((key) =>
      value instanceof CelMap ? setKey(value.find(escapeFieldName(key) ?? key) ?? null) : undefined,
    );
    return parts.length === 1
      ? parts[0]
      : JSON.stringify(parts, (_, part) => (typeof part === 'bigint' ? `${part}n` : part));
  }
}

/** An object with `additionalProperties` as it is, read through their schema. */
export class JsonMap extends CelMap {
  readonly #json: Json;
  readonly #values: DeclaredType;

  constructor(json: Json, values: DeclaredType) {
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
export class JsonObject extends CelMap {
  readonly #json: Json;
  readonly #declared: DeclaredType;

  constructor(json: Json, declared: DeclaredType) {
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
    const name = this.#declared.propertyName(key);
    if (name === undefined || !Object.hasOwn(this.#json, name)) return undefined;
    const json = this.#json[name];
    if (json === null || json === undefined) return undefined;
    return this.#declared.properties.get(name)?.fromJson(json);
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
      } else if (!(other instanceof JsonObject)) {
        throw noSuchOverload();
      } else if (Object.hasOwn(other.#json, name) && !isDeepStrictEqual(this.#json[name], other.#json[name])) {
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
    return other instanceof PreservedValue && isDeepStrictEqual(this.#json, other.#json);
  }
}

function setKey(value: CelValue): unknown {
  return canonicalKey(value) ?? value;
}
