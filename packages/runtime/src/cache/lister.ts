import type { LabelFilter } from '@evenkeel/client';
import { labelSelectorOf } from '@evenkeel/client';
import {
  didYouMean,
  EvenkeelError,
  matchesLabels,
  ObjectKey,
  parseLabelSelector,
  type ServedObject,
} from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { isHandedOut } from './hand-out.ts';
import type { Selection } from './scope.ts';
import type { Store } from './store.ts';

/** Which objects of the cache a {@link Lister} returns. Default: all. */
export interface ListerListOptions {
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
}

/**
 * Reads the cache of one kind. It never waits and never sends a request. Before the cache has synced, it finds nothing; after
 * that, its objects may be stale. Returned objects are frozen and shared with all readers; copy an object to change it.
 *
 * It is a class so that it can be the type of a constructor parameter: `@ListerOf(Deployment) deployments: Lister<Deployment>`.
 */
export abstract class Lister<T extends CachedObject = CachedObject> {
  /** Returns an object by its key, or by `'namespace/name'`. Throws `outside-of-cache` if the cache does not contain the namespace. */
  abstract get(key: ObjectKey | string): ServedObject<T> | undefined;
  /**
   * Returns objects in no particular order. Throws a `LabelSelectorError` for labels that cannot be in a selector, and
   * `outside-of-cache` if the cache does not contain the namespace.
   */
  abstract list(options?: ListerListOptions): readonly ServedObject<T>[];
  /** Returns the objects for which the index has `value`. Throws `unknown-index` if the index is not declared. */
  abstract byIndex(name: string, value: string): readonly ServedObject<T>[];
}

/** The parts of an informer that a lister needs. */
export interface ListerBacking {
  /** The name of the resource in messages: `deployments.apps`. */
  readonly name: string;
  readonly store: Store;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly present: (object: CachedObject) => CachedObject;
  /** Undefined: all objects in the store. */
  readonly selects: Selection | undefined;
  readonly indexNames: IndexNames;
}

/** Converts names of indexes to those in the store, which several views share. */
export interface IndexNames {
  toStored(name: string): string;
  /** Undefined for an index of another view. */
  fromStored(stored: string): string | undefined;
}

/** The index by which objects of one namespace are found. It is created at the first use. */
const namespaceIndex = 'namespace';

export class StoreLister<T extends CachedObject> extends Lister<T> {
  #backing: ListerBacking;
  /** The objects of the backing. The copy makes {@link get}, which reconciles call very often, a fifth faster. */
  #objects: ReadonlyMap<string, CachedObject>;
  #selects: Selection | undefined;

  constructor(backing: ListerBacking) {
    super();
    this.#backing = backing;
    this.#objects = backing.store.objects;
    this.#selects = backing.selects;
  }

  /** Sets another backing for all further reads. */
  attach(backing: ListerBacking): void {
    this.#backing = backing;
    this.#objects = backing.store.objects;
    this.#selects = backing.selects;
  }

  get(key: ObjectKey | string): ServedObject<T> | undefined {
    const object = this.#objects.get(typeof key === 'string' ? key : key.toString());
    if (object !== undefined && (this.#selects === undefined || this.#selects(object))) {
      return (isHandedOut(object) ? object : this.#backing.present(object)) as ServedObject<T>;
    }
    const { namespaces } = this.#backing;
    if (namespaces !== undefined) {
      this.#checkNamespace((typeof key === 'string' ? ObjectKey.parse(key) : key).namespace, namespaces);
    }
    return undefined;
  }

  list(options: ListerListOptions = {}): readonly ServedObject<T>[] {
    const { store, namespaces, present, selects } = this.#backing;
    const { namespace } = options;
    if (namespace !== undefined && namespaces !== undefined) this.#checkNamespace(namespace, namespaces);
    const requirements = parseLabelSelector(labelSelectorOf(options.labels) ?? '');
    const found: ServedObject<T>[] = [];
    for (const object of namespace === undefined ? store.values() : this.#inNamespace(namespace)) {
      if (selects?.(object) === false) continue;
      if (matchesLabels(requirements, object.metadata.labels)) found.push(present(object) as ServedObject<T>);
    }
    return found;
  }

  byIndex(name: string, value: string): readonly ServedObject<T>[] {
    const { store, present, selects, indexNames } = this.#backing;
    const objects = store.objectsByIndex(indexNames.toStored(name), value);
    if (objects === undefined) {
      const known = store.indexNames
        .map((stored) => indexNames.fromStored(stored))
        .filter((index) => index !== undefined);
      throw new EvenkeelError(
        'unknown-index',
        `there is no index "${name}" of ${this.#backing.name}${didYouMean(name, known)}; declare it with @Index("${name}") on a method of the controller, or with addIndex()`,
      );
    }
    const found: ServedObject<T>[] = [];
    for (const object of objects) {
      if (selects === undefined || selects(object))
        found.push((isHandedOut(object) ? object : present(object)) as ServedObject<T>);
    }
    return found;
  }

  *#inNamespace(namespace: string): Generator<CachedObject> {
    const { store } = this.#backing;
    if (store.objectsByIndex(namespaceIndex, namespace) === undefined) {
      store.addIndex(namespaceIndex, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
    }
    yield* store.objectsByIndex(namespaceIndex, namespace) ?? [];
  }

  #checkNamespace(namespace: string | undefined, namespaces: readonly string[]): void {
    if (namespace !== undefined && namespaces.includes(namespace)) return;
    throw new EvenkeelError(
      'outside-of-cache',
      `the cache of ${this.#backing.name} contains only the namespaces ${namespaces.join(', ')}, not ${namespace ?? 'cluster-scoped objects'}; add the namespace to the cache, or read with the client`,
    );
  }
}
