import { type Client, type FieldFilter, fieldSelectorOf, type LabelFilter, labelSelectorOf } from '@evenkeel/client';
import {
  type ApiResource,
  type Clock,
  EvenkeelError,
  groupResourceOf,
  isForbidden,
  isNotFound,
  isUnauthorized,
  type Logger,
  type ObjectKey,
  type Random,
  StatusError,
} from '@evenkeel/core';
import type { CachedObject } from './cached-object.ts';
import { handOut } from './hand-out.ts';
import { type Lister, StoreLister } from './lister.ts';
import { UndecodableError } from './object-decoder.ts';
import { keyOf, Reflector, type ReflectorTarget } from './reflector.ts';
import { compareResourceVersions } from './resource-version.ts';
import { type IndexFunction, Store } from './store.ts';
import { TimeSlice } from './time-slice.ts';

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
  updated?(object: T, previous: T): void;
  /**
   * `isFinalStateUnknown` says that the deletion itself was missed: the object is the last state that was seen. An object
   * that was deleted and made again under its name meanwhile is told as deleted, then as added.
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
}

/** What is known of an informer, for readiness and for people. */
export interface InformerHealth {
  /** Everything that was there has been seen once; stays true while the server is away. */
  readonly synced: boolean;
  /** Why no watch is open, while it is tried again and again; undefined while one is. */
  readonly problem: InformerProblem | undefined;
  /** Everything up to this version has been seen. */
  readonly lastSyncResourceVersion: string | undefined;
  /** When the server last said anything, bookmarks included, on the monotonic clock. */
  readonly lastActivityMs: number | undefined;
}

export interface InformerOptions {
  readonly client: Client;
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  /** What handed-out objects get. */
  readonly prototype: object | undefined;
  readonly scope: InformerScope;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * A copy of the objects of one kind in one scope, kept equal to the server's, that tells its handlers what changes.
 *
 * Guarantees: for one object, handlers are told in the order in which the server made the changes, and of a state at most
 * once; several changes may come as one. A reader of the store, also inside of a handler, sees at least what it was told.
 * It never gives up: while the server is away or does not serve the kind, the store keeps what it had, and {@link health}
 * says why.
 *
 * Not promised: any order between objects, or that every state is told.
 */
export class Informer<T extends CachedObject = CachedObject> {
  readonly resource: ApiResource;
  readonly metadataOnly: boolean;
  readonly scope: InformerScope;
  readonly lister: Lister<T>;
  readonly #options: InformerOptions;
  readonly #store = new Store();
  readonly #partitions: Partition[];
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #healthListeners = new Set<(health: InformerHealth) => void>();
  #waiters: Waiter[] = [];
  #running: Promise<void> | undefined;

  /** Opens nothing; {@link start} does. */
  constructor(options: InformerOptions) {
    const { resource, metadataOnly, scope } = options;
    this.#options = options;
    this.resource = resource;
    this.metadataOnly = metadataOnly;
    this.scope = scope;
    const namespaces = resource.namespaced && scope.namespaces !== undefined ? scope.namespaces : [undefined];
    this.#partitions = namespaces.map((namespace) => new Partition(namespace));
    this.lister = new StoreLister<T>({
      name: groupResourceOf(resource),
      store: this.#store,
      namespaces: resource.namespaced ? scope.namespaces : undefined,
      present: (object) => this.#present(object),
    });
  }

  /** How many objects it holds. */
  get size(): number {
    return this.#store.size;
  }

  get health(): InformerHealth {
    const partitions = this.#partitions;
    return {
      synced: partitions.every(({ synced }) => synced),
      problem: partitions.find(({ problem }) => problem !== undefined)?.problem,
      lastSyncResourceVersion: this.#lastSyncResourceVersion(),
      lastActivityMs: partitions.reduce<number | undefined>(
        (oldest, { lastActivityMs }) =>
          lastActivityMs === undefined ? oldest : Math.min(oldest ?? lastActivityMs, lastActivityMs),
        undefined,
      ),
    };
  }

  /** Calls `listener` whenever `synced` or `problem` of the health has changed. Gives what ends that. */
  onHealth(listener: (health: InformerHealth) => void): () => void {
    this.#healthListeners.add(listener);
    return () => this.#healthListeners.delete(listener);
  }

  /** Adds a handler; what is there already is told to it before this returns. Gives what removes it. */
  addHandler(handler: InformerHandler<T>): () => void {
    this.#handlers.add(handler);
    for (const object of this.#store.values())
      this.#tell(handler, () => handler.added?.(this.#present(object) as T, true));
    return () => this.#handlers.delete(handler);
  }

  /** Adds an index, for `lister.byIndex()`; a second one of the same name takes its place. May be added at any time. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.#store.addIndex(name, (object) => {
      try {
        return valuesOf(this.#present(object) as T);
      } catch (error) {
        this.#options.logger.error('an index function threw', { index: name, object: keyOf(object), error });
        return [];
      }
    });
  }

  /** Runs until the signal is aborted; resolves when it has stopped. A second call gives the same promise. */
  start(signal: AbortSignal): Promise<void> {
    this.#running ??= Promise.all(this.#partitions.map((partition) => this.#reflect(partition, signal))).then(
      () => undefined,
    );
    return this.#running;
  }

  /** Resolves when the health says `synced`; rejects with the signal's reason. */
  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#wait(() => this.#partitions.every(({ synced }) => synced), signal);
  }

  /** Resolves when the cache has seen that an object was written at `resourceVersion`, or something later. */
  waitForWrite(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void> {
    const text = String(key);
    return this.#wait(() => {
      const seen = this.#store.get(text)?.metadata.resourceVersion;
      return isAtLeast(seen, resourceVersion) || isAtLeast(this.#lastSyncResourceVersion(), resourceVersion);
    }, signal);
  }

  /** Resolves when the object with this uid is gone from the cache, or is seen to be in deletion. */
  waitForDelete(key: ObjectKey | string, uid: string, signal?: AbortSignal): Promise<void> {
    const text = String(key);
    return this.#wait(() => {
      const metadata = this.#store.get(text)?.metadata;
      return metadata === undefined || metadata.uid !== uid || metadata.deletionTimestamp !== undefined;
    }, signal);
  }

  #reflect(partition: Partition, signal: AbortSignal): Promise<void> {
    const { client, scope, clock, random, logger } = this.#options;
    return new Reflector({
      client,
      resource: this.resource,
      metadataOnly: this.metadataOnly,
      namespace: partition.namespace,
      labelSelector: labelSelectorOf(scope.labels),
      fieldSelector: fieldSelectorOf(scope.fields),
      target: this.#targetOf(partition),
      clock,
      random,
      logger,
    }).run(signal);
  }

  #targetOf(partition: Partition): ReflectorTarget {
    return {
      replace: (objects, resourceVersion) => this.#replace(partition, objects, resourceVersion),
      changed: (type, object) =>
        type === 'DELETED' ? this.#delete(keyOf(object), object, false) : this.#put(object, false),
      passed: (resourceVersion) => {
        partition.resourceVersion = resourceVersion;
        this.#wakeWaiters();
      },
      active: () => {
        partition.lastActivityMs = this.#options.clock.monotonic();
      },
      connected: () => this.#setProblem(partition, undefined),
      failed: (error) => this.#setProblem(partition, { reason: reasonOf(error), error }),
    };
  }

  async #replace(
    partition: Partition,
    objects: ReadonlyMap<string, CachedObject>,
    resourceVersion: string,
  ): Promise<void> {
    const slice = new TimeSlice(this.#options.clock);
    const prefix = partition.namespace === undefined ? '' : `${partition.namespace}/`;
    for (const key of [...this.#store.keys()]) {
      if (key.startsWith(prefix) && !objects.has(key)) this.#delete(key, undefined, true);
      if (slice.isOver()) await slice.next();
    }
    const isInitial = !partition.synced;
    for (const object of objects.values()) {
      this.#put(object, isInitial);
      if (slice.isOver()) await slice.next();
    }
    partition.resourceVersion = resourceVersion;
    partition.synced = true;
    this.#wakeWaiters();
    if (isInitial) this.#healthChanged();
  }

  #put(object: CachedObject, isInitial: boolean): void {
    const key = keyOf(object);
    const previous = this.#store.get(key);
    if (previous !== undefined && previous.metadata.uid !== object.metadata.uid) {
      this.#delete(key, undefined, true);
      this.#add(key, object, false);
    } else if (previous === undefined) this.#add(key, object, isInitial);
    else if (previous.metadata.resourceVersion !== object.metadata.resourceVersion) {
      this.#store.set(key, object);
      for (const handler of this.#handlers) {
        this.#tell(handler, () => handler.updated?.(this.#present(object) as T, this.#present(previous) as T));
      }
    }
  }

  #add(key: string, object: CachedObject, isInitial: boolean): void {
    this.#store.set(key, object);
    for (const handler of this.#handlers) {
      this.#tell(handler, () => handler.added?.(this.#present(object) as T, isInitial));
    }
  }

  /** `last` is the state in which it was deleted, where that is known. */
  #delete(key: string, last: CachedObject | undefined, isFinalStateUnknown: boolean): void {
    const previous = this.#store.get(key);
    if (previous === undefined) return;
    this.#store.delete(key);
    const object = last ?? previous;
    for (const handler of this.#handlers) {
      this.#tell(handler, () => handler.deleted?.(this.#present(object) as T, isFinalStateUnknown));
    }
  }

  #tell(handler: InformerHandler<T>, call: () => void): void {
    try {
      call();
    } catch (error) {
      const name = handler.constructor === Object ? undefined : handler.constructor.name;
      this.#options.logger.error('an informer handler threw', {
        resource: groupResourceOf(this.resource),
        handler: name,
        error,
      });
    }
  }

  #present(object: CachedObject): CachedObject {
    return handOut(object, this.#options.prototype);
  }

  #setProblem(partition: Partition, problem: InformerProblem | undefined): void {
    const before = partition.problem?.reason;
    partition.problem = problem;
    if (before !== problem?.reason) this.#healthChanged();
  }

  #healthChanged(): void {
    this.#wakeWaiters();
    const health = this.health;
    for (const listener of this.#healthListeners) {
      try {
        listener(health);
      } catch (error) {
        this.#options.logger.error('a listener of the health of a cache threw', { error });
      }
    }
  }

  /** What all of its watches have passed. */
  #lastSyncResourceVersion(): string | undefined {
    let last: string | undefined;
    for (const { resourceVersion } of this.#partitions) {
      if (resourceVersion === undefined) return undefined;
      if (last === undefined || compareResourceVersions(resourceVersion, last) < 0) last = resourceVersion;
    }
    return last;
  }

  #wait(isDone: () => boolean, signal: AbortSignal | undefined): Promise<void> {
    if (isDone()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(signal.reason);
        return;
      }
      const onAbort = (): void => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        isDone,
        resolve: () => {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiters.push(waiter);
    });
  }

  #wakeWaiters(): void {
    if (this.#waiters.length === 0) return;
    const stillWaiting: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (waiter.isDone()) waiter.resolve();
      else stillWaiting.push(waiter);
    }
    this.#waiters = stillWaiting;
  }
}

/** What one of an informer's watches has brought: all of it, or one namespace. */
class Partition {
  readonly namespace: string | undefined;
  synced = false;
  resourceVersion: string | undefined;
  lastActivityMs: number | undefined;
  problem: InformerProblem | undefined;

  constructor(namespace: string | undefined) {
    this.namespace = namespace;
  }
}

interface Waiter {
  readonly isDone: () => boolean;
  readonly resolve: () => void;
}

function isAtLeast(seen: string | undefined, wanted: string): boolean {
  return seen !== undefined && compareResourceVersions(seen, wanted) >= 0;
}

function reasonOf(error: unknown): InformerProblem['reason'] {
  if (isNotFound(error)) return 'missing';
  if (isForbidden(error)) return 'forbidden';
  if (isUnauthorized(error)) return 'unauthorized';
  if (error instanceof EvenkeelError && error.code === 'credentials-unavailable') return 'unauthorized';
  return error instanceof StatusError || error instanceof UndecodableError ? 'refused' : 'unreachable';
}
