import type { StoreEvent } from './store-event.ts';
import { keyOf, type StoredObject } from './stored-object.ts';

/** What is kept of a kind's changes. */
export interface HistoryLimits {
  readonly eventsMax: number;
  /** Approximately, for the JSON of the objects in all events. */
  readonly bytesMax: number;
}

/** The objects of one kind, with their latest changes. */
export class ResourceHistory {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #limits: HistoryLimits;
  #eventBytes = 0;
  #events: StoreEvent[] = [];
  #floor: number;
  #sortedKeys: string[] | undefined;

  /** `floor` is the revision at which the kind's history starts. */
  constructor(limits: HistoryLimits, floor: number) {
    this.#limits = limits;
    this.#floor = floor;
  }

  /** States and events up to and including this revision may have been dropped. */
  get floor(): number {
    return this.#floor;
  }

  get size(): number {
    return this.#objects.size;
  }

  get(namespace: string, name: string): StoredObject | undefined {
    return this.#objects.get(keyOf(namespace, name));
  }

  /** The objects in the order of keys, which are ASCII; of one namespace, or of all if it is empty. */
  list(namespace: string): StoredObject[] {
    this.#sortedKeys ??= [...this.#objects.keys()].sort();
    const keys = this.#sortedKeys;
    const prefix = namespace === '' ? '' : `${namespace}/`;
    const found: StoredObject[] = [];
    for (let at = prefix === '' ? 0 : firstAtLeast(keys, prefix); at < keys.length; at++) {
      const key = keys[at] ?? '';
      if (!key.startsWith(prefix)) break;
      const stored = this.#objects.get(key);
      if (stored !== undefined) found.push(stored);
    }
    return found;
  }

  /** The list as it was at a revision, which must not be below {@link floor}. */
  listAt(namespace: string, revision: number): StoredObject[] {
    const last = this.#events.at(-1);
    if (last === undefined || last.revision <= revision) return this.list(namespace);
    const objects = new Map(this.list(namespace).map((stored) => [keyOf(stored.namespace, stored.name), stored]));
    for (let at = this.#events.length - 1; at >= 0; at--) {
      const event = this.#events[at];
      if (event === undefined || event.revision <= revision) break;
      if (namespace !== '' && event.current.namespace !== namespace) continue;
      const key = keyOf(event.current.namespace, event.current.name);
      if (event.previous === undefined) objects.delete(key);
      else objects.set(key, event.previous);
    }
    return [...objects.keys()].sort().flatMap((key) => objects.get(key) ?? []);
  }

  /** The events after a revision, which must not be below {@link floor}, oldest first. */
  eventsAfter(revision: number): readonly StoreEvent[] {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return this.#events.slice(low);
  }

  /** Calls `listener` during each following write. */
  subscribe(listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #isTooLarge(): boolean {
    return this.#eventBytes > this.#limits.bytesMax && this.#events.length > 1;
  }

  record(event: StoreEvent): void {
    const key = keyOf(event.current.namespace, event.current.name);
    if (event.deleted) this.#objects.delete(key);
    else this.#objects.set(key, event.current);
    if (event.deleted || event.previous === undefined) this.#sortedKeys = undefined;
    this.#events.push(event);
    this.#eventBytes += event.current.bytes;
    // Half of the events is dropped at once, to keep the cost per event low.
    while (this.#events.length > this.#limits.eventsMax || this.#isTooLarge()) {
      const forgotten = this.#events.length >>> 1;
      this.#floor = this.#events[forgotten - 1]?.revision ?? this.#floor;
      for (const { current } of this.#events.slice(0, forgotten)) {
        this.#eventBytes -= current.bytes;
        // Few read an object that has not changed for so long.
        current.forgetEncoded();
      }
      this.#events = this.#events.slice(forgotten);
    }
    for (const listener of this.#listeners) listener(event);
  }
}

function firstAtLeast(keys: readonly string[], prefix: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((keys[middle] ?? '') < prefix) low = middle + 1;
    else high = middle;
  }
  return low;
}
