import { type Clock, SystemClock, type Timer } from '@evenkeel/core';
import { type Delayed, DelayHeap } from './delay-heap.ts';
import { Fifo } from './fifo.ts';
import { ItemBackoff } from './item-backoff.ts';
import { type RateLimit, TokenBucket } from './rate-limit.ts';

export interface WorkqueueOptions {
  /** Default: the system's. */
  clock?: Clock;
  /** Told of what happens to items. Must not throw. */
  observer?: WorkqueueObserver;
  /**
   * Holds `addRateLimited` to so many a second, beside the backoff of each item: the longer delay counts. Default: none, as
   * in controller-runtime's priority queue.
   */
  rateLimit?: RateLimit;
}

/** What metrics are made of. Durations are milliseconds. */
export interface WorkqueueObserver {
  /** An item that was not in the queue came into it: by its add, or because its delay has passed. */
  added?(priority: number): void;
  /** An item was added with a delay. */
  delayed?(): void;
  /** An item was handed out, this long after it became ready. */
  handedOut?(queuedMs: number): void;
  /** An item was done, this long after it was handed out. */
  done?(workMs: number): void;
}

export interface AddOptions {
  /** Higher first. Default 0; what an initial list brings is added at -100, as controller-runtime does. */
  priority?: number;
  /** Not before this many milliseconds. Default 0. */
  afterMs?: number;
}

/**
 * How many entries may be at rest: this, and four for each that is not. Enough that a queue in steady use never makes an
 * entry twice, and few enough that what a large initial list left behind is given back.
 */
const mostAtRest = 1000;
const mostAtRestForEach = 4;

/** Above so many lanes the empty ones go. */
const mostLanes = 32;

/** Every so many hand-outs one goes to the item that is oldest, whatever its priority. */
const agingInterval = 8;

/**
 * What is known of one item. After the done that finds nothing more to do it is at rest: it stays for a while, because
 * the same items come again and again, and to find an entry costs half of making and dropping one.
 * `idle`: being processed, or at rest. `ready`: in the lane of its priority. `waiting`: in the heap until it is due.
 * `held`: would be ready, but is being processed. `gone`: another entry has taken its place, and a lane still has this one.
 */
interface Entry<T> extends Delayed {
  readonly item: T;
  priority: number;
  place: 'idle' | 'ready' | 'waiting' | 'held' | 'gone';
  isProcessed: boolean;
  /** When it became ready, then when it was handed out, on the monotonic clock. Kept only where someone observes. */
  sinceMs: number;
}

/** Ready entries of one priority. Entries that have left are skipped when they come up, and dropped when they are many. */
interface Lane<T> {
  readonly priority: number;
  readonly entries: Fifo<Entry<T>>;
  ready: number;
}

/**
 * Items to be processed, each at most once at a time.
 *
 * Guarantees:
 * - An item is never handed out again before {@link done} was called for it.
 * - No add is lost: one that comes while its item is being processed gives exactly one more hand-out after that.
 * - Adds of an item that waits are one: with the higher priority and the earlier time. An add without delay absorbs a
 *   timer; a later timer changes nothing.
 * - A higher priority goes first, within one the earlier add; but every eighth hand-out takes the oldest item, so that
 *   none starves. An item whose priority is raised goes to the end of its new one.
 *
 * The rules are those of client-go's workqueue and controller-runtime's priority queue, except for the eighth.
 * Items are the same when `Map` says so: text, or one object.
 */
export class Workqueue<T = string> {
  readonly #clock: Clock;
  readonly #observer: WorkqueueObserver | undefined;
  /** One map for all that is known of an item: looking it up is most of what an add, a hand-out and a done cost. */
  #entries = new Map<T, Entry<T>>();
  /** Highest priority first. Few: one for each priority in use, and some that were. */
  #lanes: Lane<T>[] = [];
  readonly #heap = new DelayHeap<Entry<T>>();
  readonly #backoff = new ItemBackoff<T>();
  /** Calls of {@link get} that wait. Only where nothing is ready. */
  readonly #getters = new Fifo<(item: T | undefined) => void>();
  #ready = 0;
  #processed = 0;
  #atRest = 0;
  /** A single worker is done with what it was handed last: not looked up then. */
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

  /** How many items could be handed out now. */
  get length(): number {
    return this.#ready;
  }

  /** How many items wait for a delay to pass. */
  get waiting(): number {
    return this.#heap.size;
  }

  /** How many items are handed out and not done. */
  get processing(): number {
    return this.#processed;
  }

  /** How many items of each priority could be handed out now; priorities without any are left out. */
  get lengthByPriority(): ReadonlyMap<number, number> {
    return new Map(this.#lanes.filter(({ ready }) => ready > 0).map(({ priority, ready }) => [priority, ready]));
  }

  /**
   * When each item that is handed out and not done was handed out, on the monotonic clock. Known only where someone
   * observes, and looked for among all items: for a scrape, not for each run.
   */
  get processingSince(): readonly number[] {
    const times: number[] = [];
    for (const entry of this.#entries.values()) {
      if (times.length === this.#processed) break;
      if (entry.isProcessed) times.push(entry.sinceMs);
    }
    return times;
  }

  /** Ignored after a shutdown. */
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

  /** Adds an item when `delayMs` have passed; at once where they are not positive. */
  addAfter(item: T, delayMs: number, options?: Pick<AddOptions, 'priority'>): void {
    this.add(item, { ...options, afterMs: delayMs });
  }

  /**
   * Counts a failure of the item and adds it after its backoff, 5 ms to 1000 s, or later where a rate limit says so. Gives
   * that delay in milliseconds.
   */
  addRateLimited(item: T, options?: Pick<AddOptions, 'priority'>): number {
    const afterMs = Math.max(this.#backoff.next(item), this.#bucket?.take() ?? 0);
    this.add(item, { ...options, afterMs });
    return afterMs;
  }

  /** Ends an item's history of failures. It does not mean that it is done. */
  forget(item: T): void {
    this.#backoff.forget(item);
  }

  /** How often the item has failed since it was last forgotten. */
  failures(item: T): number {
    return this.#backoff.failures(item);
  }

  /** The next item, when there is one; undefined when the queue is shut down. Calls are served in order. */
  get(): Promise<T | undefined> {
    if (this.#ready > 0) return Promise.resolve(this.tryGet());
    if (this.#closing !== 'no') return Promise.resolve(undefined);
    return new Promise((resolve) => this.#getters.push(resolve));
  }

  /** The next item, if there is one now. */
  tryGet(): T | undefined {
    const entry = this.#takeNext();
    return entry === undefined ? undefined : this.#handOut(entry);
  }

  /** Ends the processing of an item. Adds that came meanwhile make it ready again. */
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
   * Takes no more adds and hands nothing out any more; what is queued or waits is dropped, and calls of {@link get} that
   * wait resolve to undefined. Resolves when nothing is being processed.
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

  /** The same, but what is ready is still handed out, and what was added to items in processing. */
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

  /** All at once, into a new map: dropping them one by one costs more than keeping the others. */
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

  /** One timer stands for all that wait: the earliest. */
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

  /** An object of its own takes the entry's place: the one in the lower lane stays behind, as gone. */
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
    // A priority may be somebody's number: lanes in which nothing is ready any more do not stay for ever.
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

/** The oldest entry of a lane that has not left it. */
function firstReady<T>(entries: Fifo<Entry<T>>): Entry<T> | undefined {
  for (let first = entries.peek(); first !== undefined; first = entries.peek()) {
    if (first.place === 'ready') return first;
    entries.shift();
  }
  return undefined;
}
