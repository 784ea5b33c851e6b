import type { CachedObject } from './cached-object.ts';

/** Returns the index values of an object. It gets the frozen object of the cache, and must be pure and fast. */
export type IndexFunction<T extends CachedObject = CachedObject> = (object: T) => readonly string[];

interface Index {
  readonly valuesOf: IndexFunction;
  /** Contains the objects themselves, so that a read of an index needs no lookup by key. */
  readonly objectsByValue: Map<string, Map<string, CachedObject>>;
  readonly valuesByKey: Map<string, readonly string[]>;
}

const none: readonly string[] = [];

/** The objects of one informer by key, with their indexes. Synchronous. Only the informer writes it. */
export class Store {
  readonly #objects = new Map<string, CachedObject>();
  readonly #indexes = new Map<string, Index>();

  /** A read-only view of the objects, which follows the store. */
  get objects(): ReadonlyMap<string, CachedObject> {
    return this.#objects;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(key: string): CachedObject | undefined {
    return this.#objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.#objects.keys();
  }

  values(): IterableIterator<CachedObject> {
    return this.#objects.values();
  }

  set(key: string, object: CachedObject): void {
    this.#objects.set(key, object);
    for (const index of this.#indexes.values()) put(index, key, object);
  }

  delete(key: string): void {
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) remove(index, key, none);
  }

  /** Adds an index, and indexes existing objects at once. */
  addIndex(name: string, valuesOf: IndexFunction): void {
    const index: Index = { valuesOf, objectsByValue: new Map(), valuesByKey: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) put(index, key, object);
  }

  get indexNames(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Returns objects by an index, in no particular order; undefined if the index does not exist. */
  objectsByIndex(name: string, value: string): Iterable<CachedObject> | undefined {
    const index = this.#indexes.get(name);
    return index === undefined ? undefined : (index.objectsByValue.get(value)?.values() ?? []);
  }
}

function put(index: Index, key: string, object: CachedObject): void {
  const values = index.valuesOf(object);
  remove(index, key, values);
  if (values.length > 0) index.valuesByKey.set(key, values);
  for (const value of values) {
    const objects = index.objectsByValue.get(value);
    if (objects === undefined) index.objectsByValue.set(value, new Map([[key, object]]));
    else objects.set(key, object);
  }
}

/** Removes a key from all values that it no longer has. */
function remove(index: Index, key: string, kept: readonly string[]): void {
  const values = index.valuesByKey.get(key);
  if (values === undefined) return;
  index.valuesByKey.delete(key);
  for (const value of values) {
    if (kept.includes(value)) continue;
    const objects = index.objectsByValue.get(value);
    objects?.delete(key);
    if (objects?.size === 0) index.objectsByValue.delete(value);
  }
}
