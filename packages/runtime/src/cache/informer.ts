import type { FieldFilter, LabelFilter } from '@evenkeel/client';
import type { ApiResource, ObjectKey } from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import type { Lister } from './lister.ts';
import type { IndexFunction } from './store.ts';

/** Which objects of a kind a cache holds. Default: all. */
export interface InformerScope {
  /** One watch for each. Has no meaning for cluster-scoped kinds. */
  namespaces?: readonly string[] | undefined;
  labels?: LabelFilter | undefined;
  fields?: FieldFilter | undefined;
}

/**
 * Told of changes, one after another, after the store has them. The objects are frozen and shared. Must be quick and may
 * not wait; what it throws is logged, and neither other handlers nor the store notice.
 */
export interface InformerHandler<T extends CachedObject = CachedObject> {
  /** `isInInitialList` says that the object was there when the cache, or this handler, came. */
  added?(object: T, isInInitialList: boolean): void;
  /** `isRelisted` says that everything was asked for again, so that states between the two may have been missed. */
  updated?(object: T, previous: T, isRelisted: boolean): void;
  /**
   * `isFinalStateUnknown` says that the deletion itself was missed: the object is the last state that was seen. An object
   * that was deleted and made again under its name meanwhile is told as deleted, then as added; and so is every object
   * when the server was set back to older data, for what has the same version then need not be the same.
   */
  deleted?(object: T, isFinalStateUnknown: boolean): void;
}

export interface InformerProblem {
  /**
   * `missing`: the server does not serve the kind. `forbidden`: RBAC. `unauthorized`: the credentials. `unreachable`: no
   * answer. `refused`: any other, also an answer that is not an API server's.
   */
  readonly reason: 'missing' | 'forbidden' | 'unauthorized' | 'unreachable' | 'refused';
  readonly error: unknown;
  /** In which of the informer's namespaces; undefined where it watches all of them, or a cluster-scoped kind. */
  readonly namespaces?: readonly string[];
}

/** What is known of one watch of an informer, which has one for each of its namespaces. Times are of the monotonic clock. */
export interface WatchState {
  /** Undefined for all of them, and for cluster-scoped kinds. */
  readonly namespace: string | undefined;
  readonly synced: boolean;
  /** As of the informer. */
  readonly current: boolean;
  readonly problem: InformerProblem | undefined;
  /** When the server last said anything to it, a refusal too; when it was started, before that. */
  readonly lastHeardMs: number;
  /** When an event, a bookmark or a list last brought it forward. */
  readonly lastProgressMs: number | undefined;
  readonly lastBookmarkMs: number | undefined;
  /** How often it was brought everything there is; more than once where it had to ask again. */
  readonly lists: number;
  /** How often it was given up and begun again because nothing came for 70 s. */
  readonly restarts: number;
  /** How often since {@link lastHeardMs}. */
  readonly restartsUnheard: number;
}

/** What is known of an informer, for readiness and for people. */
export interface InformerHealth {
  /**
   * Everything that was there has been seen once; stays true while the server is away. Of several namespaces, those that
   * are not granted hold up no others: their objects come when they are.
   */
  readonly synced: boolean;
  /**
   * False before the first sync, and from when the kind is no longer served or granted, in none of the namespaces, until
   * everything has been asked for again: what is held may be of objects that are long gone.
   */
  readonly current: boolean;
  /** Why no watch is open, while it is tried again and again; undefined while one is. */
  readonly problem: InformerProblem | undefined;
  /** Everything up to this version has been seen. */
  readonly lastSyncResourceVersion: string | undefined;
  /** When the server last said anything, bookmarks included, on the monotonic clock. */
  readonly lastActivityMs: number | undefined;
  readonly watches: readonly WatchState[];
}

/**
 * A copy of the objects of one kind in one scope, kept equal to the server's, that tells its handlers what changes.
 *
 * Guarantees: for one object, handlers are told in the order in which the server made the changes, and of a state at most
 * once, unless {@link readAnew} finds it shown differently; several changes may come as one. A reader of the store, also
 * inside of a handler, sees at least what it was told. It never gives up: while the server is away or does not serve the
 * kind, the store keeps what it had, and {@link health} says why.
 *
 * Not promised: any order between objects, or that every state is told.
 */
export abstract class Informer<T extends CachedObject = CachedObject> {
  abstract readonly resource: ApiResource;
  abstract readonly metadataOnly: boolean;
  abstract readonly scope: InformerScope;
  abstract readonly lister: Lister<T>;
  /** How many objects it holds. */
  abstract readonly size: number;
  abstract readonly health: InformerHealth;

  /** Calls `listener` whenever `synced`, `current` or `problem` of the health has changed. Gives what ends that. */
  abstract onHealth(listener: (health: InformerHealth) => void): () => void;

  /** Calls `listener` each time the server has accepted a watch. Gives what ends that. */
  abstract onOpened(listener: () => void): () => void;

  /** Adds a handler; what is there already is told to it before this returns. Gives what removes it. */
  abstract addHandler(handler: InformerHandler<T>): () => void;

  /**
   * Adds an index, for `lister.byIndex()`; a second one of the same name takes its place. May be added at any time. Gives
   * what reads it, which cannot be misspelt.
   */
  abstract addIndex(name: string, valuesOf: IndexFunction<T>): (value: string) => readonly T[];

  /** What an index gives for an object that need not be held; nothing where the index throws, or was not added here. */
  abstract indexedUnder(name: string, object: T): readonly string[];

  /**
   * Asks the server for everything once more, as for who knows that it shows its objects in another way now, with other
   * defaults in them. Nothing is taken away meanwhile. An object of the same version that shows differently takes the place
   * of the one that was held, and is told as updated. Resolves when all that is granted has been read; rejects with the
   * signal's reason. Calls of many at once come to one reading, or to few.
   */
  abstract readAnew(signal: AbortSignal): Promise<void>;

  /** Resolves when the health says `synced`; rejects with the signal's reason. */
  abstract waitForSync(signal?: AbortSignal): Promise<void>;

  /** Resolves when the cache has seen that an object was written at `resourceVersion`, or something later. */
  abstract waitForWrite(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void>;

  /**
   * Resolves when the cache does not hold the object, or has seen that it was written at `resourceVersion` or something
   * later: for a write that takes it out of what the cache selects.
   */
  abstract waitForLeave(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void>;

  /** Resolves when the object with this uid is gone from the cache, or is seen to be in deletion. */
  abstract waitForDelete(key: ObjectKey | string, uid: string, signal?: AbortSignal): Promise<void>;
}
