import type { CachedObject } from './cached-object.ts';

/** Gives the values by which an object is found. Called with what the cache hands out; pure and quick. */
export type IndexFunction<T extends CachedObject = CachedObject> = (object: T) => readonly string[];

interface Index {
  readonly valuesOf: IndexFunction;
  /** With the objects, so that a read of an index looks up no key. */
  readonly objectsByValue: Map<string, Map<string, CachedObject>>;
  readonly valuesByKey: Map<string, readonly string[]>;
}

const none: readonly string[] = [];

/** The objects of one informer by key, with their indexes. Synchronous; written by the informer alone. */
export class Store {
  readonly #objects = new Map<string, CachedObject>();
  readonly #indexes = new Map<string, Index>();

  /** For reading alone; it changes as the store does. */
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

  /** What is there already is indexed at once. */
  addIndex(name: string, valuesOf: IndexFunction): void {
    const index: Index = { valuesOf, objectsByValue: new Map(), valuesByKey: new Map() };
    this.#indexes.set(name, index);
    for (const [key, object] of this.#objects) put(index, key, object);
  }

  get indexNames(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  /** Undefined where there is no such index. In no order that means anything. */
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

/** Takes a key out of all values that it had and has no longer. */
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
