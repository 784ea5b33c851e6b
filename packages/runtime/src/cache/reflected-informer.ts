import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
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
import { InactivityError } from './inactivity-limit.ts';
import type { InformerHandler, InformerHealth, InformerProblem, WatchState } from './informer.ts';
import type { ListerBacking } from './lister.ts';
import { ObjectDecoder, type ObjectDecoderOptions, UndecodableError } from './object-decoder.ts';
import { keyOf, Reflector, type ReflectorTarget } from './reflector.ts';
import type { RefusedWatches } from './refused-watches.ts';
import { compareResourceVersions } from './resource-version.ts';
import type { ResolvedScope, Selection } from './scope.ts';
import { type IndexFunction, Store } from './store.ts';
import { TimeSlice } from './time-slice.ts';

export interface ReflectedInformerOptions {
  readonly client: Client;
  readonly resource: ApiResource;
  /** What handed-out objects get. */
  readonly prototype: object | undefined;
  readonly scope: ResolvedScope;
  readonly decoding: ObjectDecoderOptions;
  /** The informers of the kind, this one too: an object that another of the same form has is not kept twice. */
  readonly siblings: readonly ReflectedInformer[];
  readonly refused: RefusedWatches;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

interface AddedHandler {
  readonly handler: InformerHandler;
  readonly selects: Selection | undefined;
}

/**
 * What fills {@link InformerView}s: the watches of one scope, and the objects they brought. Its guarantees are those of
 * {@link Informer}.
 */
export class ReflectedInformer {
  readonly resource: ApiResource;
  readonly resolved: ResolvedScope;
  readonly #options: ReflectedInformerOptions;
  readonly #store = new Store();
  readonly #decoder: ObjectDecoder;
  readonly #partitions: Partition[];
  readonly #handlers = new Set<AddedHandler>();
  readonly #healthListeners = new Set<(health: InformerHealth) => void>();
  readonly #openedListeners = new Set<() => void>();
  #waiters: Waiter[] = [];
  #running: Promise<void> | undefined;

  /** Opens nothing; {@link start} does. */
  constructor(options: ReflectedInformerOptions) {
    this.#options = options;
    this.resource = options.resource;
    this.resolved = options.scope;
    this.#decoder = new ObjectDecoder(options.resource, options.decoding);
    const nowMs = options.clock.monotonic();
    this.#partitions = (options.scope.namespaces ?? [undefined]).map((namespace) => new Partition(namespace, nowMs));
  }

  /** What listers read. */
  get backing(): Pick<ListerBacking, 'name' | 'store' | 'present'> {
    return {
      name: groupResourceOf(this.resource),
      store: this.#store,
      present: (object) => this.#present(object),
    };
  }

  get size(): number {
    return this.#store.size;
  }

  /** About so much memory its objects take. */
  get bytes(): number {
    return Math.round(this.#decoder.meanBytes * this.#store.size);
  }

  get health(): InformerHealth {
    const partitions = this.#partitions;
    return {
      synced: this.#isSynced(),
      current: partitions.some(({ current }) => current),
      problem: this.#problem(),
      lastSyncResourceVersion: this.#lastSyncResourceVersion(),
      lastActivityMs: partitions.reduce<number | undefined>(
        (oldest, { lastActivityMs }) =>
          lastActivityMs === undefined ? oldest : Math.min(oldest ?? lastActivityMs, lastActivityMs),
        undefined,
      ),
      watches: partitions,
    };
  }

  /** Calls `listener` whenever `synced`, `current` or `problem` of the health has changed. Gives what ends that. */
  onHealth(listener: (health: InformerHealth) => void): () => void {
    this.#healthListeners.add(listener);
    return () => this.#healthListeners.delete(listener);
  }

  /** A listener that comes while a watch is open is called at once. */
  onOpened(listener: () => void): () => void {
    this.#openedListeners.add(listener);
    if (this.#partitions.some(({ wasOpened, problem }) => wasOpened && problem === undefined)) {
      this.#call('opened watches', listener);
    }
    return () => this.#openedListeners.delete(listener);
  }

  /** The handler is told of the selected objects alone. */
  addHandler(handler: InformerHandler, selects: Selection | undefined): () => void {
    const added: AddedHandler = { handler, selects };
    this.#handlers.add(added);
    for (const object of this.#store.values()) {
      if (selects?.(object) !== false) this.#tell(handler, () => handler.added?.(this.#present(object), true));
    }
    return () => this.#handlers.delete(added);
  }

  addIndex(name: string, valuesOf: IndexFunction): void {
    this.#store.addIndex(name, (object) => {
      try {
        return valuesOf(this.#present(object));
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

  /** See {@link Informer.readAnew}. */
  readAnew(signal: AbortSignal): Promise<void> {
    const calls = this.#partitions.map((partition) => ({ partition, call: partition.reflector?.readAnew() ?? 0 }));
    return this.#wait(
      () =>
        calls.every(({ partition, call }) => partition.answered >= call || partition.problem?.reason === 'forbidden'),
      signal,
    );
  }

  /** Resolves when the health says `synced`; rejects with the signal's reason. */
  waitForSync(signal?: AbortSignal): Promise<void> {
    return this.#wait(() => this.#isSynced(), signal);
  }

  /** Resolves when the cache has seen that an object was written at `resourceVersion`, or something later. */
  waitForWrite(key: ObjectKey | string, resourceVersion: string, signal?: AbortSignal): Promise<void> {
    const text = String(key);
    return this.#wait(() => this.#hasPassed(text, resourceVersion), signal);
  }

  waitForLeave(
    key: ObjectKey | string,
    resourceVersion: string,
    selects: Selection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const text = String(key);
    return this.#wait(() => {
      const object = this.#store.get(text);
      return object === undefined || selects?.(object) === false || this.#hasPassed(text, resourceVersion);
    }, signal);
  }

  waitForDelete(
    key: ObjectKey | string,
    uid: string,
    selects: Selection | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const text = String(key);
    return this.#wait(() => {
      const object = this.#store.get(text);
      if (object === undefined || selects?.(object) === false) return true;
      return object.metadata.uid !== uid || object.metadata.deletionTimestamp !== undefined;
    }, signal);
  }

  #reflect(partition: Partition, signal: AbortSignal): Promise<void> {
    const { client, scope, refused, clock, random, logger } = this.#options;
    partition.reflector = new Reflector({
      client,
      resource: this.resource,
      metadataOnly: scope.metadataOnly,
      namespace: partition.namespace,
      labelSelector: scope.labelSelector,
      fieldSelector: scope.fieldSelector,
      decoder: this.#decoder,
      target: this.#targetOf(partition),
      refused,
      clock,
      random,
      logger,
    });
    return partition.reflector.run(signal);
  }

  #targetOf(partition: Partition): ReflectorTarget {
    const { clock } = this.#options;
    return {
      replace: (objects, resourceVersion, calls) => this.#replace(partition, objects, resourceVersion, calls),
      changed: (type, object) =>
        type === 'DELETED' ? this.#delete(keyOf(object), object, false) : this.#put(object, { isInitial: false }),
      passed: (resourceVersion, isBookmark) => {
        partition.resourceVersion = resourceVersion;
        partition.lastProgressMs = clock.monotonic();
        if (isBookmark) partition.lastBookmarkMs = partition.lastProgressMs;
        this.#wakeWaiters();
      },
      active: () => {
        partition.lastActivityMs = clock.monotonic();
        partition.heard(partition.lastActivityMs);
      },
      connected: () => {
        partition.wasOpened = true;
        this.#setProblem(partition, undefined);
        for (const listener of this.#openedListeners) this.#call('opened watches', listener);
      },
      failed: (error) => {
        if (error instanceof InactivityError) partition.begunAnew();
        if (error instanceof StatusError) partition.heard(clock.monotonic());
        const { namespace } = partition;
        const where = namespace === undefined ? {} : { namespaces: [namespace] };
        const reason = reasonOf(error);
        if (reason === 'missing' || reason === 'forbidden') partition.current = false;
        this.#setProblem(partition, { reason, error, ...where });
      },
    };
  }

  #isSynced(): boolean {
    const synced = this.#partitions.filter((partition) => partition.synced);
    if (synced.length === this.#partitions.length) return true;
    return synced.length > 0 && this.#partitions.every((one) => one.synced || one.problem?.reason === 'forbidden');
  }

  /** The first, with all the namespaces in which there is one of its sort. */
  #problem(): InformerProblem | undefined {
    const problems = this.#partitions.flatMap(({ problem }) => problem ?? []);
    const [first] = problems;
    if (first === undefined || problems.length === 1) return first;
    const alike = problems.filter(({ reason }) => reason === first.reason);
    return { ...first, namespaces: alike.flatMap(({ namespaces = [] }) => namespaces) };
  }

  async #replace(
    partition: Partition,
    objects: ReadonlyMap<string, CachedObject>,
    resourceVersion: string,
    calls: number,
  ): Promise<void> {
    const slice = new TimeSlice(this.#options.clock);
    const prefix = partition.namespace === undefined ? '' : `${partition.namespace}/`;
    for (const key of [...this.#store.keys()]) {
      if (key.startsWith(prefix) && !objects.has(key)) this.#delete(key, undefined, true);
      if (slice.isOver()) await slice.next();
    }
    const isInitial = !partition.synced;
    const isOtherHistory = !isInitial && (await this.#isOtherHistory(partition, objects, resourceVersion, slice));
    const isReadAnew = calls > partition.answered;
    for (const object of objects.values()) {
      this.#put(object, { isInitial, isRelisted: true, isOtherHistory, isReadAnew });
      if (slice.isOver()) await slice.next();
    }
    partition.resourceVersion = resourceVersion;
    partition.lastProgressMs = this.#options.clock.monotonic();
    const wasCurrent = partition.current;
    partition.synced = true;
    partition.current = true;
    partition.lists++;
    partition.answered = calls;
    this.#wakeWaiters();
    if (!wasCurrent) this.#healthChanged();
  }

  /**
   * Whether the server was set back: its versions, or those of an object, are older than what was seen. What it has of the
   * same version then may be something else, and versions that it has not reached again belong to what never was.
   */
  async #isOtherHistory(
    { resourceVersion: seen }: Partition,
    objects: ReadonlyMap<string, CachedObject>,
    resourceVersion: string,
    slice: TimeSlice,
  ): Promise<boolean> {
    if (seen !== undefined && compareResourceVersions(resourceVersion, seen) < 0) return true;
    for (const [key, { metadata }] of objects) {
      const { uid, resourceVersion: known } = this.#store.get(key)?.metadata ?? {};
      if (known !== undefined && uid === metadata.uid && !isAtLeast(metadata.resourceVersion, known)) return true;
      if (slice.isOver()) await slice.next();
    }
    return false;
  }

  #put(
    received: CachedObject,
    {
      isInitial,
      isRelisted = false,
      isOtherHistory = false,
      isReadAnew = false,
    }: { isInitial: boolean; isRelisted?: boolean; isOtherHistory?: boolean; isReadAnew?: boolean },
  ): void {
    const key = keyOf(received);
    const previous = this.#store.get(key);
    const object = isOtherHistory ? received : this.#asSiblingsHaveIt(key, received, isReadAnew);
    if (previous !== undefined && (isOtherHistory || previous.metadata.uid !== object.metadata.uid)) {
      this.#delete(key, undefined, true);
      this.#add(key, object, false);
    } else if (previous === undefined) this.#add(key, object, isInitial);
    else if (
      previous.metadata.resourceVersion !== object.metadata.resourceVersion ||
      (isReadAnew && !jsonEqual(previous, object))
    ) {
      this.#store.set(key, object);
      for (const added of this.#handlers) this.#tellUpdate(added, object, previous, isRelisted);
    }
  }

  #asSiblingsHaveIt(key: string, received: CachedObject, isReadAnew: boolean): CachedObject {
    for (const sibling of this.#options.siblings) {
      if (sibling === this || sibling.resolved.metadataOnly !== this.resolved.metadataOnly) continue;
      const held = sibling.#store.get(key);
      if (held === undefined || held.metadata.resourceVersion !== received.metadata.resourceVersion) continue;
      if (held.metadata.uid !== received.metadata.uid) continue;
      // Of the same version, a sibling that has not read anew yet may have it as it was shown before.
      if (!isReadAnew || jsonEqual(held, received)) return held;
    }
    return received;
  }

  #add(key: string, object: CachedObject, isInitial: boolean): void {
    this.#store.set(key, object);
    for (const { handler, selects } of this.#handlers) {
      if (selects?.(object) !== false) this.#tell(handler, () => handler.added?.(this.#present(object), isInitial));
    }
  }

  /** For who sees a part of the objects, one may come in by a change, or leave. */
  #tellUpdate(
    { handler, selects }: AddedHandler,
    object: CachedObject,
    previous: CachedObject,
    isRelisted: boolean,
  ): void {
    const isSelected = selects?.(object) !== false;
    const wasSelected = selects?.(previous) !== false;
    if (isSelected && wasSelected) {
      this.#tell(handler, () => handler.updated?.(this.#present(object), this.#present(previous), isRelisted));
    } else if (isSelected) this.#tell(handler, () => handler.added?.(this.#present(object), false));
    else if (wasSelected) this.#tell(handler, () => handler.deleted?.(this.#present(object), false));
  }

  /** `last` is the state in which it was deleted, where that is known. */
  #delete(key: string, last: CachedObject | undefined, isFinalStateUnknown: boolean): void {
    const previous = this.#store.get(key);
    if (previous === undefined) return;
    this.#store.delete(key);
    const object = last ?? previous;
    for (const { handler, selects } of this.#handlers) {
      if (selects?.(previous) === false) continue;
      this.#tell(handler, () => handler.deleted?.(this.#present(object), isFinalStateUnknown));
    }
  }

  #tell(handler: InformerHandler, call: () => void): void {
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
    for (const listener of this.#healthListeners) this.#call('the health', () => listener(health));
  }

  #call(of: string, listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#options.logger.error(`a listener of ${of} of a cache threw`, { error });
    }
  }

  /** Whether the object is as new as that, or the watch that brings it has passed that version without it. */
  #hasPassed(key: string, resourceVersion: string): boolean {
    if (isAtLeast(this.#store.get(key)?.metadata.resourceVersion, resourceVersion)) return true;
    const partition = this.#partitions.find(
      ({ namespace }) => namespace !== undefined && key.startsWith(`${namespace}/`),
    );
    return isAtLeast(partition?.resourceVersion ?? this.#lastSyncResourceVersion(), resourceVersion);
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
class Partition implements WatchState {
  readonly namespace: string | undefined;
  synced = false;
  current = false;
  wasOpened = false;
  resourceVersion: string | undefined;
  lastActivityMs: number | undefined;
  lastHeardMs: number;
  lastProgressMs: number | undefined;
  lastBookmarkMs: number | undefined;
  lists = 0;
  reflector: Reflector | undefined;
  /** How many calls of the reflector's `readAnew` what is held was asked for after. */
  answered = 0;
  restarts = 0;
  restartsUnheard = 0;
  problem: InformerProblem | undefined;

  constructor(namespace: string | undefined, nowMs: number) {
    this.namespace = namespace;
    this.lastHeardMs = nowMs;
  }

  heard(nowMs: number): void {
    this.lastHeardMs = nowMs;
    this.restartsUnheard = 0;
  }

  begunAnew(): void {
    this.restarts++;
    this.restartsUnheard++;
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
