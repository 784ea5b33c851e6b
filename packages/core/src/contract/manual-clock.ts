import { Clock, type Timer } from './clock.ts';

interface Scheduled {
  readonly due: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that moves only when a test calls {@link advance}. */
export class ManualClock extends Clock {
  #elapsedMs = 0;
  #order = 0;
  readonly #startMs: number;
  readonly #scheduled = new Set<Scheduled>();

  constructor(start: Date = new Date('2026-01-01T00:00:00Z')) {
    super();
    this.#startMs = start.getTime();
  }

  now(): number {
    return this.#startMs + this.#elapsedMs;
  }

  monotonic(): number {
    return this.#elapsedMs;
  }

  schedule(delayMs: number, callback: () => void): Timer {
    const entry: Scheduled = { due: this.#elapsedMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#scheduled.add(entry);
    return { cancel: () => this.#scheduled.delete(entry) };
  }

  /** The number of scheduled calls that are still pending. */
  get pending(): number {
    return this.#scheduled.size;
  }

  /**
   * Advances the time and makes all calls that become due, in the order of their time. After each call, callbacks of settled
   * promises run first, so that calls that they schedule within the span are made too.
   */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsedMs + ms;
    await settle();
    for (let next = this.#next(target); next !== undefined; next = this.#next(target)) {
      this.#scheduled.delete(next);
      this.#elapsedMs = Math.max(this.#elapsedMs, next.due);
      next.callback();
      await settle();
    }
    this.#elapsedMs = target;
  }

  #next(target: number): Scheduled | undefined {
    let first: Scheduled | undefined;
    for (const entry of this.#scheduled) {
      if (entry.due > target) continue;
      if (first === undefined || entry.due < first.due || (entry.due === first.due && entry.order < first.order)) {
        first = entry;
      }
    }
    return first;
  }
}

/** Waits for one turn of the event loop, so that all callbacks of settled promises have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
