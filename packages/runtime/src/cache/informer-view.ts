import { type ApiResource, groupResourceOf, type ObjectKey, type ServedObject, untilAborted } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { Informer, type InformerHandler, type InformerHealth } from './informer.ts';
import type { InformerScope } from './informer-scope.ts';
import { type IndexNames, StoreLister } from './lister.ts';
import type { ReflectedInformer } from './reflected-informer.ts';
import { type ResolvedScope, type Selection, selectionWithin } from './scope.ts';
import { type IndexFunction, Store } from './store.ts';

export interface InformerViewOptions {
  readonly resource: ApiResource;
  readonly scope: InformerScope;
  readonly resolved: ResolvedScope;
  /** Unique, so that the indexes of two views of one informer do not collide. */
  readonly id: string;
}

/**
 * The requested informer of a scope, independent of the watches that provide its objects. It may be a part of a larger informer.
 * An object that leaves its scope is reported as deleted, and one that enters it as added.
 *
 * The cache attaches it to its watches at the start. Before that, it is empty and has not synced.
 */
export class InformerView<T extends CachedObject = CachedObject> extends Informer<T> {
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  readonly scope: InformerScope;
  readonly resolved: ResolvedScope;
  readonly lister: StoreLister<T>;
  readonly #id: string;
  /** The store of the lister until an informer is attached. */
  readonly #nothing = new Store();
  readonly #attached = Promise.withResolvers<ReflectedInformer>();
  #informer: ReflectedInformer | undefined;
  #selects: Selection | undefined;
  readonly #indexes = new Map<string, IndexFunction<T>>();
  /** Calls to make when an informer is attached. */
  readonly #pending: ((informer: ReflectedInformer) => void)[] = [];

  constructor({ resource, scope, resolved, id }: InformerViewOptions) {
    super();
    this.resource = resource;
    this.metadataOnly = resolved.metadataOnly;
    this.scope = scope;
    this.resolved = resolved;
    this.#id = id;
    this.lister = new StoreLister<T>({
      name: groupResourceOf(resource),
      store: this.#nothing,
      namespaces: resolved.namespaces,
      present: (object) => object,
      selects: undefined,
      indexNames: this.#indexNames,
    });
  }

  /** Attaches the informer that contains its objects. Called once. */
  attach(informer: ReflectedInformer): void {
    this.#informer = informer;
    this.#selects = selectionWithin(informer.resolved, this.resolved);
    this.lister.attach({
      ...informer.backing,
      namespaces: this.resolved.namespaces,
      selects: this.#selects,
      indexNames: this.#indexNames,
    });
    for (const begin of this.#pending.splice(0)) begin(informer);
    this.#attached.resolve(informer);
  }

  get size(): number {
    const { size = 0 } = this.#informer ?? {};
    return this.#selects === undefined ? size : this.lister.list().length;
  }

  get health(): InformerHealth {
    return (
      this.#informer?.health ?? {
        synced: false,
        current: false,
        problem: undefined,
        lastSyncResourceVersion: undefined,
        lastActivityMs: undefined,
        watches: [],
      }
    );
  }

  onHealth(listener: (health: InformerHealth) => void): () => void {
    return this.#whenThere((informer) => informer.onHealth(listener));
  }

  onOpened(listener: () => void): () => void {
    return this.#whenThere((informer) => informer.onOpened(listener));
  }

  addHandler(handler: InformerHandler<T>): () => void {
    return this.#whenThere((informer) => informer.addHandler(handler as InformerHandler, this.#selects));
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): (value: string) => readonly ServedObject<T>[] {
    this.#indexes.set(name, valuesOf);
    if (this.#informer === undefined) this.#nothing.addIndex(this.#indexNames.toStored(name), () => []);
    this.#whenThere((informer) => {
      informer.addIndex(this.#indexNames.toStored(name), valuesOf as IndexFunction);
      return () => undefined;
    });
    return (value) => (this.#informer === undefined ? [] : this.lister.byIndex(name, value));
  }

  indexedUnder(name: string, object: T): readonly string[] {
    try {
      return this.#indexes.get(name)?.(object) ?? [];
    } catch {
      // Reported when the cache has the object.
      return [];
    }
  }

  async readAnew(signal: AbortSignal): Promise<void> {
    const informer = this.#informer ?? (await untilAborted(this.#attached.promise, signal));
    await informer.readAnew(signal);
  }

  async waitForSync(signal?: AbortSignal): Promise<void> {
    const informer = await untilAborted(this.#attached.promise, signal);
    await informer.waitForSync(signal);
  }

  async waitForWrite(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void> {
    const informer = this.#informer ?? (await untilAborted(this.#attached.promise, signal));
    await informer.waitForWrite(key, resourceVersion, signal);
  }

  async waitForLeave(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void> {
    const informer = this.#informer ?? (await untilAborted(this.#attached.promise, signal));
    await informer.waitForLeave(key, resourceVersion, this.#selects, signal);
  }

  async waitForDelete(key: ObjectKey | string, uid: string, signal?: AbortSignal): Promise<void> {
    const informer = this.#informer ?? (await untilAborted(this.#attached.promise, signal));
    await informer.waitForDelete(key, uid, this.#selects, signal);
  }

  readonly #indexNames: IndexNames = {
    toStored: (name) => `${this.#id} ${name}`,
    fromStored: (stored) => (stored.startsWith(`${this.#id} `) ? stored.slice(this.#id.length + 1) : undefined),
  };

  /** Calls `begin` now, or when an informer is attached. Returns a function that ends it, or cancels the call. */
  #whenThere(begin: (informer: ReflectedInformer) => () => void): () => void {
    if (this.#informer !== undefined) return begin(this.#informer);
    let isEnded = false;
    let end: (() => void) | undefined;
    this.#pending.push((informer) => {
      if (!isEnded) end = begin(informer);
    });
    return () => {
      isEnded = true;
      end?.();
    };
  }
}
