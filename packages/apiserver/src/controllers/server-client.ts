import type { ApiObject } from '../kind/api-object.ts';
import type { DeleteOptions } from '../kind/strategy.ts';

/** A resource by its group and plural, in the version the server stores it in: `{ group: 'apps', plural: 'deployments' }`. */
export interface ServerResource {
  readonly group: string;
  readonly plural: string;
}

export interface ServerResourceInfo extends ServerResource {
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** False for what cannot be stored (reviews): those are never listed here. */
  readonly verbs: readonly string[];
}

export interface StoredEvent<T = ApiObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: ServerResource;
  readonly object: T;
  /** The state before, for MODIFIED and DELETED. */
  readonly old?: T;
}

/**
 * The server's objects for code that runs inside it.
 *
 * Reads are synchronous and see the store itself: there is no cache that could be stale, and no informer is needed.
 * What they return is shared: copy it (`copyJson`) before changing it. Writes take the same way as every request
 * behind authorization: defaults, admission, strategy, managed fields, store; they reject with a StatusError.
 */
export interface ServerClient {
  get<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
  ): T | undefined;
  /** Sorted by namespace and name. Without a namespace: of all. */
  list<T extends object = ApiObject>(resource: ServerResource, namespace?: string): readonly T[];
  /**
   * Calls the listener with ADDED for everything there is, then with each change, in order. Never calls it from within a
   * write: events of one turn come together after it. Returns what ends it, after which no call is made.
   */
  watch<T extends object = ApiObject>(resource: ServerResource, listener: (event: StoredEvent<T>) => void): () => void;
  /** The same for every resource there is and will be, custom ones included; for the garbage collector. */
  watchAll(listener: (event: StoredEvent) => void): () => void;

  create<T extends object = ApiObject>(resource: ServerResource, object: T, options?: WriteOptions): Promise<T>;
  /** Conflict where `metadata.resourceVersion` is given and not the stored one. */
  update<T extends object = ApiObject>(resource: ServerResource, object: T, options?: WriteOptions): Promise<T>;
  /** {@link update} of the status subresource. */
  updateStatus<T extends object = ApiObject>(resource: ServerResource, object: T): Promise<T>;
  /** A merge patch; of a subresource where named. */
  patch<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
    patch: object,
    options?: WriteOptions,
  ): Promise<T>;
  /** A deletion that is not there any more is no error. */
  delete(resource: ServerResource, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<void>;

  /** Every resource that can be listed and deleted, custom ones included, in its storage version. */
  resources(): readonly ServerResourceInfo[];
  /** The resource of an owner reference or object: undefined where nothing serves it. */
  resourceOf(apiVersion: string, kind: string): ServerResourceInfo | undefined;
}

export interface WriteOptions {
  readonly subresource?: string;
  /** Default: the controller's name in `kube-controller-manager`, as the real one's writes are recorded. */
  readonly fieldManager?: string;
}
