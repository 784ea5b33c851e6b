import type { Clock } from '@evenkeel/core';
import type { ObjectStore } from './object-store.ts';
import type { StoreEvent } from './store-event.ts';
import { keyOf, type StoredObject } from './stored-object.ts';

type Listener = (resource: string, event: StoreEvent) => void;

interface HeldEvent {
  readonly key: string;
  readonly resource: string;
  readonly event: StoreEvent;
  readonly dueMs: number;
}

/**
 * The changes of a store as controllers see them. A change by a client arrives after a delay, as on a real cluster, so that a client
 * can create an object and then update it before a controller changes it. A change by a controller arrives at once, so a chain of
 * controllers adds the delay only once.
 *
 * The changes of one object arrive in order: a change by a controller waits for the changes before it.
 */
export class DelayedEvents {
  /** Default: 0, which delivers each change during the write. Applies to the changes that follow. */
  delayMs = 0;
  readonly #store: ObjectStore;
  readonly #clock: Clock;
  readonly #isController: (writer: unknown) => boolean;
  readonly #listeners = new Map<string | undefined, Set<Listener>>();
  /** In the order of their due times, because all wait equally long. */
  #held: HeldEvent[] = [];
  readonly #heldOf = new Map<string, number>();
  #cancel: (() => void) | undefined;

  /** `isController` returns whether the writer of an event is one of the controllers that get the events. */
  constructor(store: ObjectStore, clock: Clock, isController: (writer: unknown) => boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#isController = isController;
    store.subscribe((resource, event) => this.#receive(resource, event));
  }

  /** Calls `listener` with each following change of a kind, by its storage key; of all kinds if it is undefined. */
  subscribe(resource: string | undefined, listener: Listener): () => void {
    const listeners = this.#listeners.get(resource) ?? new Set();
    this.#listeners.set(resource, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** The objects of a kind after the delivered changes. */
  list(resource: string): readonly StoredObject[] {
    const objects = this.#store.resource(resource).list('');
    const held = this.#held.filter((each) => each.resource === resource);
    if (held.length === 0) return objects;
    const delivered = new Map(objects.map((stored) => [keyOf(stored.namespace, stored.name), stored]));
    for (const { event } of held.reverse()) {
      const key = keyOf(event.current.namespace, event.current.name);
      if (event.previous === undefined) delivered.delete(key);
      else delivered.set(key, event.previous);
    }
    return [...delivered.values()];
  }

  /** Whether an object has changes that have not been delivered yet. */
  isHeld(resource: string, namespace: string, name: string): boolean {
    return this.#heldOf.has(objectKey(resource, namespace, name));
  }

  /** Discards the changes that have not been delivered, and cancels the timer. */
  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#held = [];
    this.#heldOf.clear();
  }

  #receive(resource: string, event: StoreEvent): void {
    const key = objectKey(resource, event.current.namespace, event.current.name);
    if (!this.#heldOf.has(key) && (this.delayMs <= 0 || this.#isController(event.writer))) {
      this.#deliver(resource, event);
      return;
    }
    this.#heldOf.set(key, (this.#heldOf.get(key) ?? 0) + 1);
    this.#held.push({ key, resource, event, dueMs: this.#clock.monotonic() + this.delayMs });
    if (this.#cancel === undefined) this.#await(this.delayMs);
  }

  #await(delayMs: number): void {
    const timer = this.#clock.schedule(delayMs, () => this.#deliverDue(), { unref: true });
    this.#cancel = () => timer.cancel();
  }

  #deliverDue(): void {
    this.#cancel = undefined;
    const nowMs = this.#clock.monotonic();
    const next = this.#held.findIndex(({ dueMs }) => dueMs > nowMs);
    const due = next < 0 ? this.#held.splice(0) : this.#held.splice(0, next);
    for (const { key, resource, event } of due) {
      const others = (this.#heldOf.get(key) ?? 1) - 1;
      if (others > 0) this.#heldOf.set(key, others);
      else this.#heldOf.delete(key);
      this.#deliver(resource, event);
    }
    const [first] = this.#held;
    if (first !== undefined) this.#await(Math.max(0, first.dueMs - nowMs));
  }

  #deliver(resource: string, event: StoreEvent): void {
    for (const listener of this.#listeners.get(resource) ?? []) listener(resource, event);
    for (const listener of this.#listeners.get(undefined) ?? []) listener(resource, event);
  }
}

function objectKey(resource: string, namespace: string, name: string): string {
  return `${resource} ${keyOf(namespace, name)}`;
}
