import type { LabelFilter } from '@evenkeel/client';
import { labelSelectorOf } from '@evenkeel/client';
import { didYouMean, EvenkeelError, matchesLabels, ObjectKey, parseLabelSelector } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { isHandedOut } from './hand-out.ts';
import type { Selection } from './scope.ts';
import type { Store } from './store.ts';

export interface ListerListOptions {
  namespace?: string | undefined;
  labels?: LabelFilter | undefined;
}

/**
 * Reads the cache of one kind. It never waits and never asks the server: before the cache is synced it finds nothing, and
 * afterwards it may lag behind. What it gives is frozen and shared with every other reader; copy it to change it.
 *
 * A class, so that it can stand in a constructor's signature: `@ListerOf(Deployment) deployments: Lister<Deployment>`.
 */
export abstract class Lister<T extends CachedObject = CachedObject> {
  /** `'namespace/name'` where it is a text. Throws `outside-of-cache` where the cache does not hold that namespace. */
  abstract get(key: ObjectKey | string): T | undefined;
  /**
   * In no order that means anything. Throws a `LabelSelectorError` for labels that no selector can say, `outside-of-cache`
   * where the cache does not hold the namespace.
   */
  abstract list(options?: ListerListOptions): readonly T[];
  /** The objects for which the index gave `value`. Throws `unknown-index` where nobody declared it. */
  abstract byIndex(name: string, value: string): readonly T[];
}

/** What a lister has to know of its informer. */
export interface ListerBacking {
  /** What it holds, for messages: `deployments.apps`. */
  readonly name: string;
  readonly store: Store;
  /** Undefined: all. */
  readonly namespaces: readonly string[] | undefined;
  readonly present: (object: CachedObject) => CachedObject;
  /** Undefined: all that are in the store. */
  readonly selects: Selection | undefined;
  readonly indexNames: IndexNames;
}

/** How indexes are called in the store that several views share. */
export interface IndexNames {
  toStored(name: string): string;
  /** Undefined for an index of another view. */
  fromStored(stored: string): string | undefined;
}

/** Objects of one namespace are found by this index, made when it is first asked for. */
const namespaceIndex = 'namespace';

export class StoreLister<T extends CachedObject> extends Lister<T> {
  #backing: ListerBacking;
  /** Of the backing, for {@link get}, which reconciles call by the million: a fifth of its time went into looking there. */
  #objects: ReadonlyMap<string, CachedObject>;
  #selects: Selection | undefined;

  constructor(backing: ListerBacking) {
    super();
    this.#backing = backing;
    this.#objects = backing.store.objects;
    this.#selects = backing.selects;
  }

  /** Reads from here on from something else. */
  attach(backing: ListerBacking): void {
    this.#backing = backing;
    this.#objects = backing.store.objects;
    this.#selects = backing.selects;
  }

  get(key: ObjectKey | string): T | undefined {
    const object = this.#objects.get(typeof key === 'string' ? key : key.toString());
    if (object !== undefined && (this.#selects === undefined || this.#selects(object))) {
      return (isHandedOut(object) ? object : this.#backing.present(object)) as T;
    }
    const { namespaces } = this.#backing;
    if (namespaces !== undefined) {
      this.#checkNamespace((typeof key === 'string' ? ObjectKey.parse(key) : key).namespace, namespaces);
    }
    return undefined;
  }

  list(options: ListerListOptions = {}): readonly T[] {
    const { store, namespaces, present, selects } = this.#backing;
    const { namespace } = options;
    if (namespace !== undefined && namespaces !== undefined) this.#checkNamespace(namespace, namespaces);
    const requirements = parseLabelSelector(labelSelectorOf(options.labels) ?? '');
    const found: T[] = [];
    for (const object of namespace === undefined ? store.values() : this.#inNamespace(namespace)) {
      if (selects?.(object) === false) continue;
      if (matchesLabels(requirements, object.metadata.labels)) found.push(present(object) as T);
    }
    return found;
  }

  byIndex(name: string, value: string): readonly T[] {
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
    const found: T[] = [];
    for (const object of objects) {
      if (selects === undefined || selects(object)) found.push((isHandedOut(object) ? object : present(object)) as T);
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
