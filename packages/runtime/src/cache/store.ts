import type { CachedObject } from './cached-object.ts';

/** Gives the values by which an object is found. Called with what the cache hands out; pure and quick. */
export type IndexFunction<T extends CachedObject = CachedObject> = (object: T) => readonly string[];

interface Index {
  readonly valuesOf: IndexFunction;
  readonly keysByValue: Map<string, Set<string>>;
  readonly valuesByKey: Map<string, readonly string[]>;
}

/** The objects of one informer by key, with their indexes. Synchronous; written by the informer alone. */
export class Store {
  readonly #objects = new Map<string, CachedObject>();
  readonly #indexes = new Map<string, Index>();

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
    for (const index of this.#indexes.values()) reindex(index, key, index.valuesOf(object));
  }

  delete(key: string): void {
    this.#objects.delete(key);
    for (const index of this.#indexes.values()) reindex(index, key, []);
  }

  /** What is there already is indexed at once. */
  addIndex(name: string, valuesOf: IndexFunction): void {
    const index: Index = { valuesOf, keysByValue: new Map(), valuesByKey: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) reindex(index, key, valuesOf(object));
  }

  get indexNames(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Undefined where there is no such index. In no order that means anything. */
  keysByIndex(name: string, value: string): Iterable<string> | undefined {
    const index = this.#indexes.get(name);
    return index === undefined ? undefined : (index.keysByValue.get(value) ?? []);
  }
}

function reindex(index: Index, key: string, values: readonly string[]): void {
  const before = index.valuesByKey.get(key);
  if (before !== undefined) {
    if (before.length === values.length && before.every((value, at) => value === values[at])) return;
    for (const value of before) {
      const keys = index.keysByValue.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.keysByValue.delete(value);
    }
  }
  if (values.length === 0) index.valuesByKey.delete(key);
  else index.valuesByKey.set(key, values);
  for (const value of values) {
    const keys = index.keysByValue.get(value);
    if (keys === undefined) index.keysByValue.set(value, new Set([key]));
    else keys.add(key);
  }
}
