import { goFloat, goQuote, isInt64, isJsonObject, type JsonObject, jsonEqual, valueAt } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';

/**
 * A node of the new object with the corresponding node of the old object. Errors of unchanged values are ignored on update.
 * Properties and map keys correlate by name, items of lists with list-type map by their keys; items of other lists do not
 * correlate (k8s.io/apiserver pkg/cel/common/equality.go).
 */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly #schema: StructuralSchema;
  #equal: boolean | undefined;
  #oldByKey: MapList | undefined;

  constructor(value: unknown, old: unknown, schema: StructuralSchema) {
    this.value = value;
    this.old = old;
    this.#schema = schema;
  }

  /** The child under a property or map key; undefined if the two objects do not correlate there. */
  key(name: string): Correlation | undefined {
    if (!isJsonObject(this.value) || !isJsonObject(this.old)) return undefined;
    const value = valueAt(this.value, name);
    const old = valueAt(this.old, name);
    if (value === undefined || old === undefined) return undefined;
    const schema = propertySchema(this.#schema, name);
    return schema === undefined ? undefined : new Correlation(value, old, schema);
  }

  /** The child at an index of the new list; undefined if no old item has the same keys. */
  index(index: number): Correlation | undefined {
    const { items } = this.#schema;
    if (!Array.isArray(this.value) || !Array.isArray(this.old) || items === undefined) return undefined;
    this.#oldByKey ??= new MapList(this.#schema, this.old);
    const old = this.#oldByKey.get(this.value[index]);
    return old === undefined ? undefined : new Correlation(this.value[index], old, items);
  }

  /**
   * Whether new and old are equal according to the schema. An object with a key that the schema does not know is never
   * equal. Items of a list with list-type map are compared with the old item of the same key, other lists as a whole.
   */
  isUnchanged(): boolean {
    this.#equal ??= this.#compare();
    return this.#equal;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (Array.isArray(value) && Array.isArray(old)) {
      if (value.length !== old.length) return false;
      if (this.#schema['x-kubernetes-list-type'] !== 'map') return jsonEqual(value, old);
      return value.every((_, index) => this.index(index)?.isUnchanged() === true);
    }
    if (isJsonObject(value) && isJsonObject(old)) {
      const keys = Object.keys(value);
      return keys.length === Object.keys(old).length && keys.every((key) => this.key(key)?.isUnchanged() === true);
    }
    return jsonEqual(value, old);
  }
}

/** The schema of an object's property, or that of additional properties. */
function propertySchema(schema: StructuralSchema, name: string): StructuralSchema | undefined {
  const { properties, additionalProperties } = schema;
  if (properties !== undefined && Object.hasOwn(properties, name)) return properties[name];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

/**
 * Finds items of a list with list-type map by their keys, and nothing in other lists. Of items with equal keys the first is
 * returned (k8s.io/apiserver pkg/cel/common/maplist.go).
 */
export class MapList {
  readonly #keys: readonly string[];
  readonly #items = new Map<string, JsonObject>();

  constructor(schema: StructuralSchema, items: readonly unknown[]) {
    const isMap = schema.type === 'array' && schema['x-kubernetes-list-type'] === 'map';
    this.#keys = (isMap && schema['x-kubernetes-list-map-keys']) || [];
    if (this.#keys.length === 0) return;
    for (const item of items) {
      const key = this.#keyOf(item);
      if (key !== undefined && !this.#items.has(key)) this.#items.set(key, item as JsonObject);
    }
  }

  get(item: unknown): JsonObject | undefined {
    const key = this.#items.size === 0 ? undefined : this.#keyOf(item);
    return key === undefined ? undefined : this.#items.get(key);
  }

  #keyOf(item: unknown): string | undefined {
    if (!isJsonObject(item)) return undefined;
    let composite = '';
    for (const name of this.#keys) {
      const value = valueAt(item, name);
      if (typeof value === 'string') composite += `\0${goQuote(value)}`;
      else if (typeof value === 'boolean') composite += `\0${value}`;
      else if (isInt64(value)) composite += `\0${value}`;
      else if (typeof value === 'number') composite += `\0${goFloat(value)}`;
      else return undefined;
    }
    return composite;
  }
}
