import type { LabelFilter } from '@evenkeel/client';
import { labelSelectorOf } from '@evenkeel/client';
import { didYouMean, EvenkeelError, matchesLabels, ObjectKey, parseLabelSelector } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
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

  constructor(backing: ListerBacking) {
    super();
    this.#backing = backing;
  }

  /** Reads from here on from something else. */
  attach(backing: ListerBacking): void {
    this.#backing = backing;
  }

  get(key: ObjectKey | string): T | undefined {
    const { store, namespaces, present, selects } = this.#backing;
    const object = store.get(typeof key === 'string' ? key : key.toString());
    if (object !== undefined && (selects === undefined || selects(object))) return present(object) as T;
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
    const keys = store.keysByIndex(indexNames.toStored(name), value);
    if (keys === undefined) {
      const known = store.indexNames
        .map((stored) => indexNames.fromStored(stored))
        .filter((index) => index !== undefined);
      throw new EvenkeelError(
        'unknown-index',
        `there is no index "${name}" of ${this.#backing.name}${didYouMean(name, known)}; declare it with @Index("${name}") on a method of the controller, or with addIndex()`,
      );
    }
    const found: T[] = [];
    for (const key of keys) {
      const object = store.get(key);
      if (object !== undefined && selects?.(object) !== false) found.push(present(object) as T);
    }
    return found;
  }

  *#inNamespace(namespace: string): Generator<CachedObject> {
    const { store } = this.#backing;
    if (store.keysByIndex(namespaceIndex, namespace) === undefined) {
      store.addIndex(namespaceIndex, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
    }
    for (const key of store.keysByIndex(namespaceIndex, namespace) ?? []) {
      const object = store.get(key);
      if (object !== undefined) yield object;
    }
  }

  #checkNamespace(namespace: string | undefined, namespaces: readonly string[]): void {
    if (namespace !== undefined && namespaces.includes(namespace)) return;
    throw new EvenkeelError(
      'outside-of-cache',
      `the cache of ${this.#backing.name} holds the namespaces ${namespaces.join(', ')} and was asked for ${namespace ?? 'a cluster-scoped object'}; add the namespace to the cache, or ask the client`,
    );
  }
}
