import type { GroupVersionKind } from '@evenkeel/core';
import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { ApiObject } from '../kind/api-object.ts';
import type { DeleteOptions } from '../kind/strategy.ts';

/** A resource by group and plural, in its storage version: `{ group: 'apps', plural: 'deployments' }`. */
export interface ServerResource {
  readonly group: string;
  readonly plural: string;
}

export interface ServerResourceInfo extends ServerResource {
  readonly version: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** False for kinds that cannot be stored (reviews); they are never listed here. */
  readonly verbs: readonly string[];
}

export interface KindSchema extends GroupVersionKind {
  readonly schema: SchemaNode;
}

export interface StoredEvent<T = ApiObject> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resource: ServerResource;
  readonly object: T;
  /** The previous state, for MODIFIED and DELETED. */
  readonly old?: T;
}

/**
 * Access to the server's objects for code that runs inside the server.
 *
 * Reads are synchronous and return the store's current state: there is no cache that can be stale, and no informer is
 * needed. Only watches can be delayed ({@link DelayedEvents}). Returned objects are shared; copy them (`copyJson`) before changing
 * them. Writes pass through the same steps as every request after authorization: defaults, admission, strategy, managed fields,
 * store. They reject with a StatusError.
 */
export interface ServerClient {
  get<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
  ): T | undefined;
  /** Sorted by namespace and name. Without a namespace, objects of all namespaces. */
  list<T extends object = ApiObject>(resource: ServerResource, namespace?: string): readonly T[];
  /**
   * Calls the listener with ADDED for every existing object, then with each change, in order. Never calls it during a
   * write: the events of one turn are delivered together after it. Returns a function that stops the watch; no call follows.
   */
  watch<T extends object = ApiObject>(resource: ServerResource, listener: (event: StoredEvent<T>) => void): () => void;
  /** Watches every resource, including custom and future ones; for the garbage collector. */
  watchAll(listener: (event: StoredEvent) => void): () => void;

  create<T extends object = ApiObject>(resource: ServerResource, object: T, options?: WriteOptions): Promise<T>;
  /** Fails with Conflict if `metadata.resourceVersion` is given and differs from the stored one. */
  update<T extends object = ApiObject>(resource: ServerResource, object: T, options?: WriteOptions): Promise<T>;
  /** {@link update} of the status subresource. */
  updateStatus<T extends object = ApiObject>(resource: ServerResource, object: T): Promise<T>;
  /** Sends a merge patch, to a subresource if one is given. */
  patch<T extends object = ApiObject>(
    resource: ServerResource,
    namespace: string | undefined,
    name: string,
    patch: object,
    options?: WriteOptions,
  ): Promise<T>;
  /** Deletes an object. A missing object is not an error. */
  delete(resource: ServerResource, namespace: string | undefined, name: string, options?: DeleteOptions): Promise<void>;

  /** Every resource that can be listed and deleted, including custom ones, in its storage version. */
  resources(): readonly ServerResourceInfo[];
  /**
   * The schemas of the kinds of a resource in a version. As a REST mapper, it finds the resources of every group if the
   * group is empty.
   */
  schemasOf(resource: { group: string; version: string; plural: string }): Promise<readonly KindSchema[]>;
  /** The schema of a kind; undefined if the server does not serve it. */
  schemaOf(kind: GroupVersionKind): Promise<KindSchema | undefined>;
  /** The resource of an owner reference or object; undefined if the server does not serve it. */
  resourceOf(apiVersion: string, kind: string): ServerResourceInfo | undefined;
}

export interface WriteOptions {
  readonly subresource?: string;
  /** Default: the controller's name in `kube-controller-manager`, the manager that the real controller records. */
  readonly fieldManager?: string;
}
