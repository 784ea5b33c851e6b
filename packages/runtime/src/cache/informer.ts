import type { ApiResource, ObjectKey, ServedObject } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import type { InformerScope } from './informer-scope.ts';
import type { Lister } from './lister.ts';
import type { IndexFunction } from './store.ts';

/**
 * Receives changes one after another, after they are in the store. The objects are frozen and shared. A handler must be fast and
 * synchronous. An error that it throws is logged and does not affect other handlers or the store.
 */
export interface InformerHandler<T extends CachedObject = CachedObject> {
  /** @param isInInitialList whether the object existed before the cache started or this handler was added. */
  added?(object: T, isInInitialList: boolean): void;
  /** @param isRelisted whether all objects were read again, so that states in between may have been missed. */
  updated?(object: T, previous: T, isRelisted: boolean): void;
  /**
   * An object that was deleted and created again under its name is reported as deleted, then as added. So is every object if the
   * server was restored from older data, because objects with the same version may then differ.
   *
   * @param isFinalStateUnknown whether the deletion itself was missed. The object is then the last known state.
   */
  deleted?(object: T, isFinalStateUnknown: boolean): void;
}

export interface InformerProblem {
  /**
   * `missing`: the server does not serve the kind. `forbidden`: RBAC. `unauthorized`: the credentials. `unreachable`: no
   * response. `refused`: any other error, including a response that is not from an API server.
   */
  readonly reason: 'missing' | 'forbidden' | 'unauthorized' | 'unreachable' | 'refused';
  readonly error: unknown;
  /** The affected namespaces of the informer; undefined if it watches all namespaces or a cluster-scoped kind. */
  readonly namespaces?: readonly string[];
}

/** The state of one watch of an informer, which has one for each of its namespaces. Times are from the monotonic clock. */
export interface WatchState {
  /** Undefined for all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  readonly synced: boolean;
  /** As {@link InformerHealth.current}, for this watch. */
  readonly current: boolean;
  readonly problem: InformerProblem | undefined;
  /** The time at which it last received anything, including an error; before that, the time of its start. */
  readonly lastHeardMs: number;
  /** The time of its last event, bookmark or list. */
  readonly lastProgressMs: number | undefined;
  readonly lastBookmarkMs: number | undefined;
  /** The number of times that it has read all objects. */
  readonly lists: number;
  /** The number of restarts because nothing was received for 70 s. */
  readonly restarts: number;
  /** The number of these restarts since {@link lastHeardMs}. */
  readonly restartsUnheard: number;
}

/** The state of an informer, for readiness and for users. */
export interface InformerHealth {
  /**
   * Whether all objects have been read once. It remains true while the server is unreachable. A namespace that is not permitted
   * does not delay the others; its objects are added when it is permitted.
   */
  readonly synced: boolean;
  /**
   * False before the first sync. Also false when the kind is no longer served, or no longer permitted in any namespace, until all
   * objects have been read again: the cache may then contain deleted objects.
   */
  readonly current: boolean;
  /** Why no watch is open, while the informer retries; undefined while one is open. */
  readonly problem: InformerProblem | undefined;
  /** All changes up to this version are in the cache. */
  readonly lastSyncResourceVersion: string | undefined;
  /** The time at which anything was last received, including bookmarks, on the monotonic clock. */
  readonly lastActivityMs: number | undefined;
  readonly watches: readonly WatchState[];
}

/**
 * A copy of the objects of one kind in one scope that follows the server and reports changes to its handlers.
 *
 * Promised: the changes of one object are reported in the server's order. A state is reported at most once, unless
 * {@link readAnew} finds that the server shows it differently. A reader of the store, also inside of a handler, sees at least the
 * reported state. The informer never gives up: while the server is unreachable or does not serve the kind, the store keeps its
 * objects, and {@link health} has the reason.
 *
 * Not promised: an order between objects, or that every state is reported. Several changes may be reported as one.
 */
export abstract class Informer<T extends CachedObject = CachedObject> {
  abstract readonly resource: ApiResource;
  abstract readonly metadataOnly: boolean;
  abstract readonly scope: InformerScope;
  abstract readonly lister: Lister<T>;
  /** The number of objects. */
  abstract readonly size: number;
  abstract readonly health: InformerHealth;

  /** Calls `listener` when `synced`, `current` or `problem` of the health changes. Returns a function that removes it. */
  abstract onHealth(listener: (health: InformerHealth) => void): () => void;

  /** Calls `listener` each time the server has accepted a watch. Returns a function that removes it. */
  abstract onOpened(listener: () => void): () => void;

  /** Adds a handler. Existing objects are reported to it before this returns. Returns a function that removes it. */
  abstract addHandler(handler: InformerHandler<T>): () => void;

  /**
   * Adds an index for `lister.byIndex()`, at any time. A second index of the same name replaces the first. Returns a function that
   * reads the index without its name.
   */
  abstract addIndex(name: string, valuesOf: IndexFunction<T>): (value: string) => readonly ServedObject<T>[];

  /** Returns the index values of any object, cached or not; an empty list if the index throws, or was not added here. */
  abstract indexedUnder(name: string, object: T): readonly string[];

  /**
   * Reads all objects again, for callers that know that the server now returns them differently, for example with other defaults.
   * The cache keeps its objects meanwhile. An object that differs in the same version replaces the cached one and is reported as
   * updated. Resolves when everything that is permitted has been read. Rejects with the signal's reason. Concurrent calls are
   * merged into few reads.
   */
  abstract readAnew(signal: AbortSignal): Promise<void>;

  /** Resolves when {@link health} is `synced`. Rejects with the signal's reason. */
  abstract waitForSync(signal?: AbortSignal): Promise<void>;

  /** Resolves when the cache has the write of an object at `resourceVersion`, or a later change. */
  abstract waitForWrite(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void>;

  /**
   * Resolves when the cache does not contain the object, or has its write at `resourceVersion` or a later change. Use it for a
   * write after which the cache no longer selects the object.
   */
  abstract waitForLeave(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void>;

  /** Resolves when the object with this uid is not in the cache any more, or is in deletion. */
  abstract waitForDelete(key: ObjectKey | string, uid: string, signal?: AbortSignal): Promise<void>;
}
