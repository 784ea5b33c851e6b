import type { ApiObject } from '../kind/api-object.ts';
import { approximateBytes } from './approximate-bytes.ts';
import { type HistoryLimits, ResourceHistory } from './resource-history.ts';
import { StoreEvent } from './store-event.ts';
import { keyOf, StoredObject } from './stored-object.ts';

/**
 * The events kept per kind, and the approximate length of their objects; half of the events is dropped at once. A watch from an
 * older revision gets 410.
 */
const eventsPerResourceMax = 20_000;
const bytesPerResourceMax = 64 * 1024 * 1024;

/**
 * All objects of a server, in memory, with one revision counter for all kinds, like etcd. Every write is synchronous and
 * takes the next revision. Callers that check a precondition and write in one turn need no lock.
 *
 * The store trusts its callers: it neither validates nor compares. It owns the objects passed to it.
 */
export class ObjectStore {
  readonly #resources = new Map<string, ResourceHistory>();
  readonly #listeners = new Set<(resource: string, event: StoreEvent) => void>();
  readonly #limits: HistoryLimits;
  #measured: { readonly object: ApiObject; readonly bytes: number } | undefined;
  #revision = 1;

  constructor(options: { readonly eventsPerResourceMax?: number; readonly bytesPerResourceMax?: number } = {}) {
    this.#limits = {
      eventsMax: options.eventsPerResourceMax ?? eventsPerResourceMax,
      bytesMax: options.bytesPerResourceMax ?? bytesPerResourceMax,
    };
  }

  /** The revision of the latest write. */
  get revision(): number {
    return this.#revision;
  }

  /** The objects of a kind, by its storage key; empty if there are none yet. */
  resource(resource: string): ResourceHistory {
    let history = this.#resources.get(resource);
    if (history === undefined) {
      history = new ResourceHistory(this.#limits, 0);
      this.#resources.set(resource, history);
    }
    return history;
  }

  /** The objects of every kind that has or had any, by storage key. */
  resources(): Iterable<[storageKey: string, objects: ResourceHistory]> {
    return this.#resources;
  }

  get(resource: string, namespace: string, name: string): StoredObject | undefined {
    return this.#resources.get(resource)?.get(namespace, name);
  }

  /** Creates the object or stores its next state. Sets its `metadata.resourceVersion`. `writer`: see {@link StoreEvent}. */
  put(resource: string, namespace: string, name: string, object: ApiObject, writer?: unknown): StoredObject {
    const history = this.resource(resource);
    const previous = history.get(namespace, name);
    const current = this.#next(namespace, name, object, this.bytesOf(object));
    this.#record(resource, history, new StoreEvent(current, previous, false, writer));
    return current;
  }

  /** Removes the object. Returns its last state with the revision of the deletion. */
  remove(resource: string, namespace: string, name: string, writer?: unknown): StoredObject {
    const history = this.resource(resource);
    const previous = history.get(namespace, name);
    if (previous === undefined) throw new Error(`there is no ${resource} ${keyOf(namespace, name)} to remove`);
    const { object, bytes } = previous;
    const current = this.#next(namespace, name, { ...object, metadata: { ...object.metadata } }, bytes);
    this.#record(resource, history, new StoreEvent(current, previous, true, writer));
    return current;
  }

  /** Calls `listener` during each following write of any kind. */
  subscribe(listener: (resource: string, event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The approximate length of an object's JSON, which is sufficient for limits. Measures the same object only once in a row. */
  bytesOf(object: ApiObject): number {
    if (this.#measured?.object !== object) this.#measured = { object, bytes: approximateBytes(object) };
    return this.#measured.bytes;
  }

  #next(namespace: string, name: string, object: ApiObject, bytes: number): StoredObject {
    this.#revision++;
    object.metadata.resourceVersion = String(this.#revision);
    return new StoredObject(namespace, name, this.#revision, object, bytes);
  }

  #record(resource: string, history: ResourceHistory, event: StoreEvent): void {
    history.record(event);
    for (const listener of this.#listeners) listener(resource, event);
  }
}
