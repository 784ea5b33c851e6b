import { type Clock, SystemClock, type Timer } from '@evenkeel/core';
import { type Delayed, DelayHeap } from './delay-heap.ts';
import { Fifo } from './fifo.ts';
import { ItemBackoff } from './item-backoff.ts';
import { type RateLimit, TokenBucket } from './rate-limit.ts';

export interface WorkqueueOptions {
  /** Default: the system clock. */
  clock?: Clock;
  /** Called when items change their state. Must not throw. */
  observer?: WorkqueueObserver;
  /**
   * Limits the rate of `addRateLimited`, in addition to the backoff of each item; the longer delay applies. Default: none, like
   * controller-runtime's priority queue.
   */
  rateLimit?: RateLimit;
}

/** The events from which metrics are derived. Durations are in milliseconds. */
export interface WorkqueueObserver {
  /** An item entered the queue: it was added, or its delay has passed. */
  added?(priority: number): void;
  /** An item was added with a delay. */
  delayed?(): void;
  /** The queue returned an item, this long after it became ready. */
  handedOut?(queuedMs: number): void;
  /** An item was done, this long after the queue returned it. */
  done?(workMs: number): void;
}

export interface AddOptions {
  /** Higher priorities go first. Objects of an initial list are added at -100, as in controller-runtime. Default: 0. */
  priority?: number;
  /** The minimum delay in milliseconds. Default: 0. */
  afterMs?: number;
}

/**
 * The number of entries that may be at rest: this, plus four for each entry that is not. It is large enough that a queue in
 * steady use does not recreate entries, and small enough that the entries of a large initial list are released.
 */
const mostAtRest = 1000;
const mostAtRestForEach = 4;

/** Above this number of lanes, the empty ones are removed. */
const mostLanes = 32;

/** One in this number of returned items is the oldest one, whatever its priority. */
const agingInterval = 8;

/**
 * The state of one item. If nothing is left to do after a done, the entry is at rest. It is kept for some time, because the same
 * items return, and finding an entry takes half as long as creating and dropping one.
 * - `idle`: being processed, or at rest.
 * - `ready`: in the lane of its priority.
 * - `waiting`: in the heap until it is due.
 * - `held`: would be ready, but is being processed.
 * - `gone`: replaced by another entry, but still in a lane.
 */
interface Entry<T> extends Delayed {
  readonly item: T;
  priority: number;
  place: 'idle' | 'ready' | 'waiting' | 'held' | 'gone';
  isProcessed: boolean;
  /** The time when it became ready, later the time when it was returned, on the monotonic clock. Set only with an observer. */
  sinceMs: number;
}

/** The ready entries of one priority. Entries that left it are skipped when they come first, and dropped if they are many. */
interface Lane<T> {
  readonly priority: number;
  readonly entries: Fifo<Entry<T>>;
  ready: number;
}

/**
 * A queue of items to process, each at most once at a time.
 *
 * Promised:
 * - An item is never returned again before {@link done} was called for it.
 * - No add is lost: after any adds during its processing, an item is returned exactly once more.
 * - Several adds of a waiting item are merged, with the higher priority and the earlier time. An add without a delay makes the
 *   item ready at once; a later time has no effect.
 * - Higher priorities go first, and earlier adds first within a priority. Every eighth returned item is the oldest one, so that
 *   no item starves. An item whose priority is raised goes to the end of its new priority.
 *
 * The rules are those of client-go's workqueue and controller-runtime's priority queue, except for every eighth item. Items are
 * compared like keys of a `Map`.
 */
export class Workqueue<T = string> {
  readonly #clock: Clock;
  readonly #observer: WorkqueueObserver | undefined;
  /** One map for the complete state of an item, because the lookup is the most expensive part of each operation. */
  #entries = new Map<T, Entry<T>>();
  /** Lanes with the highest priority first: one for each priority in use, and some that were. */
  #lanes: Lane<T>[] = [];
  readonly #heap = new DelayHeap<Entry<T>>();
  readonly #backoff = new ItemBackoff<T>();
  /** Pending calls of {@link get}. Empty if an item is ready. */
  readonly #getters = new Fifo<(item: T | undefined) => void>();
  #ready = 0;
  #processed = 0;
  #atRest = 0;
  /** A single worker calls done for the last returned item, which needs no lookup then. */
  #lastHandedOut: Entry<T> | undefined;
  readonly #bucket: TokenBucket | undefined;
  #order = 0;
  #handOuts = 0;
  #timer: Timer | undefined;
  #timerDueMs = 0;
  #closing: 'no' | 'handing-out' | 'closed' = 'no';
  #idle: (() => void)[] = [];

  constructor(options: WorkqueueOptions = {}) {
    this.#clock = options.clock ?? new SystemClock();
    this.#observer = options.observer;
    this.#bucket = options.rateLimit === undefined ? undefined : new TokenBucket(this.#clock, options.rateLimit);
  }

  /** The number of ready items. */
  get length(): number {
    return this.#ready;
  }

  /** The number of items whose delay has not passed. */
  get waiting(): number {
    return this.#heap.size;
  }

  /** The number of items that are being processed. */
  get processing(): number {
    return this.#processed;
  }

  /** The number of ready items of each priority. Priorities without ready items are omitted. */
  get lengthByPriority(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.filter(({ ready }) => ready > 0).map(({ priority, ready }) => [priority, ready]));
  }

  /**
   * The start of the processing of each item that is not done, on the monotonic clock. Known only with an observer. It searches
   * all items, so use it for a scrape and not for each run.
   */
  get processingSince(): readonly number[] {
    const times: number[] = [];
    for (const entry of this.#entries.values()) {
      if (times.length === this.#processed) break;
      if (entry.isProcessed) times.push(entry.sinceMs);
    }
    return times;
  }

  /** Adds an item. Ignored after a shutdown. */
  add(item: T, options?: AddOptions): void {
    if (this.#closing !== 'no') return;
    const priority = options?.priority ?? 0;
    const afterMs = options?.afterMs ?? 0;
    if (afterMs > 0) this.#observer?.delayed?.();
    const entry = this.#entries.get(item);
    if (entry === undefined) {
      const fresh = newEntry(item, priority);
      this.#entries.set(item, fresh);
      this.#place(fresh, afterMs);
    } else if (entry.place === 'idle') {
      if (!entry.isProcessed) this.#atRest--;
      entry.priority = priority;
      this.#place(entry, afterMs);
    } else this.#merge(entry, priority, afterMs);
  }

  /** Adds an item after `delayMs`, or at once if the delay is not positive. */
  addAfter(item: T, delayMs: number, options?: Pick<AddOptions, 'priority'>): void {
    this.add(item, { ...options, afterMs: delayMs });
  }

  /**
   * Counts a failure of the item and adds it after its backoff of 5 ms to 1000 s, or later if a rate limit requires it. Returns
   * the delay in milliseconds.
   */
  addRateLimited(item: T, options?: Pick<AddOptions, 'priority'>): number {
    const afterMs = Math.max(this.#backoff.next(item), this.#bucket?.take() ?? 0);
    this.add(item, { ...options, afterMs });
    return afterMs;
  }

  /** Resets the failure count of an item. It does not mark the item as done. */
  forget(item: T): void {
    this.#backoff.forget(item);
  }

  /** Returns the number of failures since the last {@link forget}. */
  failures(item: T): number {
    return this.#backoff.failures(item);
  }

  /** Resolves with the next item when one is ready, or with undefined when the queue is shut down. Calls are served in order. */
  get(): Promise<T | undefined> {
    if (this.#ready > 0) return Promise.resolve(this.tryGet());
    if (this.#closing !== 'no') return Promise.resolve(undefined);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** Returns the next item; undefined if none is ready. */
  tryGet(): T | undefined {
    const entry = this.#takeNext();
    return entry === undefined ? undefined : this.#handOut(entry);
  }

  /** Ends the processing of an item. If it was added meanwhile, it is ready again. */
  done(item: T): void {
    const last = this.#lastHandedOut;
    const entry = last !== undefined && last.item === item ? last : this.#entries.get(item);
    if (entry === undefined || !entry.isProcessed) return;
    entry.isProcessed = false;
    this.#processed--;
    this.#observer?.done?.(this.#clock.monotonic() - entry.sinceMs);
    if (entry.place === 'idle') {
      this.#atRest++;
      this.#dropWhatRests();
    } else if (entry.place === 'held') this.#makeReady(entry);
    if (this.#idle.length > 0) this.#resolveIdle();
  }

  /**
   * Ignores all further adds and returns no more items. Ready and waiting items are dropped, and pending calls of {@link get}
   * resolve with undefined. Resolves when no item is being processed.
   */
  shutDown(): Promise<void> {
    this.#closing = 'closed';
    for (const lane of this.#lanes) {
      lane.entries.retain(() => false);
      lane.ready = 0;
    }
    this.#ready = 0;
    this.#forgetAdds(() => true);
    return this.#untilIdle();
  }

  /** The same, but ready items, and items that were added during their processing, are still returned. */
  shutDownWithDrain(): Promise<void> {
    if (this.#closing === 'no') this.#closing = 'handing-out';
    this.#forgetAdds(({ place }) => place === 'waiting');
    return this.#untilIdle();
  }

  #forgetAdds(isDropped: (entry: Entry<T>) => boolean): void {
    for (const entry of this.#entries.values()) {
      if (entry.place === 'idle' || !isDropped(entry)) continue;
      entry.place = 'idle';
      if (!entry.isProcessed) this.#atRest++;
    }
    this.#dropWhatRests();
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#heap.clear();
    for (let getter = this.#getters.shift(); getter !== undefined; getter = this.#getters.shift()) getter(undefined);
  }

  /** Copies the other entries into a new map, which is faster than deleting entries one by one. */
  #dropWhatRests(): void {
    const inUse = this.#entries.size - this.#atRest;
    if (this.#atRest <= mostAtRest + mostAtRestForEach * inUse) return;
    const kept = new Map<T, Entry<T>>();
    for (const entry of this.#entries.values()) {
      if (entry.place !== 'idle' || entry.isProcessed) kept.set(entry.item, entry);
    }
    this.#entries = kept;
    this.#atRest = 0;
  }

  #untilIdle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#resolveIdle();
    });
  }

  #resolveIdle(): void {
    if (this.#processed > 0 || this.#ready > 0) return;
    const idle = this.#idle;
    this.#idle = [];
    for (const resolve of idle) resolve();
  }

  #place(entry: Entry<T>, afterMs: number): void {
    if (afterMs > 0) this.#wait(entry, this.#clock.monotonic() + afterMs);
    else {
      this.#observer?.added?.(entry.priority);
      this.#makeReady(entry);
    }
  }

  #merge(entry: Entry<T>, priority: number, afterMs: number): void {
    if (entry.place === 'waiting') {
      entry.priority = Math.max(entry.priority, priority);
      if (afterMs <= 0) {
        this.#heap.remove(entry);
        this.#observer?.added?.(entry.priority);
        this.#makeReady(entry);
        return;
      }
      const dueMs = this.#clock.monotonic() + afterMs;
      if (dueMs >= entry.dueMs) return;
      entry.dueMs = dueMs;
      this.#heap.movedEarlier(entry);
      this.#arm();
    } else if (priority > entry.priority) {
      if (entry.place === 'held') entry.priority = priority;
      else this.#raise(entry, priority);
    }
  }

  #wait(entry: Entry<T>, dueMs: number): void {
    entry.place = 'waiting';
    entry.dueMs = dueMs;
    entry.order = this.#order++;
    this.#heap.push(entry);
    this.#arm();
  }

  /** Schedules one timer for all waiting items, at the earliest time. */
  #arm(): void {
    const first = this.#heap.peek();
    if (first === undefined) return;
    if (this.#timer !== undefined) {
      if (this.#timerDueMs <= first.dueMs) return;
      this.#timer.cancel();
    }
    this.#timerDueMs = first.dueMs;
    this.#timer = this.#clock.schedule(Math.max(0, first.dueMs - this.#clock.monotonic()), () => this.#onTimer());
  }

  #onTimer(): void {
    this.#timer = undefined;
    const nowMs = this.#clock.monotonic();
    for (let entry = this.#heap.peek(); entry !== undefined && entry.dueMs <= nowMs; entry = this.#heap.peek()) {
      this.#heap.remove(entry);
      this.#observer?.added?.(entry.priority);
      this.#makeReady(entry);
    }
    this.#arm();
  }

  #makeReady(entry: Entry<T>): void {
    if (entry.isProcessed) {
      entry.place = 'held';
      return;
    }
    if (this.#observer !== undefined) entry.sinceMs = this.#clock.monotonic();
    if (this.#getters.length > 0) {
      this.#getters.shift()?.(this.#handOut(entry));
      return;
    }
    this.#enterLane(entry);
    this.#ready++;
  }

  #enterLane(entry: Entry<T>): void {
    entry.place = 'ready';
    entry.order = this.#order++;
    const lane = this.#laneOf(entry.priority);
    lane.entries.push(entry);
    lane.ready++;
  }

  /** Replaces the entry by a new object. The old one remains in the lower lane as `gone`. */
  #raise(entry: Entry<T>, priority: number): void {
    const lane = this.#laneOf(entry.priority);
    lane.ready--;
    entry.place = 'gone';
    if (lane.entries.length > 2 * lane.ready + 64) lane.entries.retain(({ place }) => place === 'ready');
    const raised: Entry<T> = { ...entry, priority };
    this.#entries.set(entry.item, raised);
    this.#enterLane(raised);
  }

  #laneOf(priority: number): Lane<T> {
    let at = 0;
    for (; at < this.#lanes.length; at++) {
      const lane = this.#lanes[at];
      if (lane === undefined || lane.priority < priority) break;
      if (lane.priority === priority) return lane;
    }
    const lane: Lane<T> = { priority, entries: new Fifo(), ready: 0 };
    this.#lanes.splice(at, 0, lane);
    // A priority can be any number of a user, so empty lanes must be removed.
    if (this.#lanes.length > mostLanes) this.#lanes = this.#lanes.filter((other) => other.ready > 0 || other === lane);
    return lane;
  }

  #takeNext(): Entry<T> | undefined {
    if (this.#ready === 0) return undefined;
    const isOldestsTurn = ++this.#handOuts % agingInterval === 0;
    let chosen: Lane<T> | undefined;
    let chosenOrder = 0;
    for (const lane of this.#lanes) {
      if (lane.ready === 0) continue;
      const first = firstReady(lane.entries);
      if (first === undefined || (chosen !== undefined && first.order > chosenOrder)) continue;
      chosen = lane;
      chosenOrder = first.order;
      if (!isOldestsTurn) break;
    }
    const entry = chosen?.entries.shift();
    if (chosen === undefined || entry === undefined) return undefined;
    chosen.ready--;
    this.#ready--;
    return entry;
  }

  #handOut(entry: Entry<T>): T {
    entry.place = 'idle';
    entry.isProcessed = true;
    this.#lastHandedOut = entry;
    this.#processed++;
    if (this.#observer !== undefined) {
      const nowMs = this.#clock.monotonic();
      this.#observer.handedOut?.(nowMs - entry.sinceMs);
      entry.sinceMs = nowMs;
    }
    return entry.item;
  }
}

function newEntry<T>(item: T, priority: number): Entry<T> {
  return { item, priority, place: 'idle', isProcessed: false, sinceMs: 0, dueMs: 0, order: 0, heapIndex: -1 };
}

/** Returns the oldest entry of a lane that has not left it. */
function firstReady<T>(entries: Fifo<Entry<T>>): Entry<T> | undefined {
  for (let first = entries.peek(); first !== undefined; first = entries.peek()) {
    if (first.place === 'ready') return first;
    entries.shift();
  }
  return undefined;
}
