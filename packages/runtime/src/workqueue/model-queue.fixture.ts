interface ModelEntry {
  item: string;
  priority: number;
  /** Undefined if it is ready, or will be when its item is not processed any more. */
  dueMs: number | undefined;
  /** The number of the operation that put it into its place. */
  order: number;
}

/** The simplest implementation of the workqueue's contract: one list that is searched and sorted in each operation. */
export class ModelQueue {
  readonly processing = new Set<string>();
  #entries: ModelEntry[] = [];
  #nowMs = 0;
  #order = 0;
  #handOuts = 0;

  get ready(): number {
    return this.#readyEntries().length;
  }

  get waiting(): number {
    return this.#entries.filter(({ dueMs }) => dueMs !== undefined).length;
  }

  add(item: string, priority: number, afterMs: number): void {
    const dueMs = afterMs > 0 ? this.#nowMs + afterMs : undefined;
    const entry = this.#entries.find((other) => other.item === item);
    if (entry === undefined) {
      this.#entries.push({ item, priority, dueMs, order: this.#order++ });
      return;
    }
    const isRaised = priority > entry.priority;
    entry.priority = Math.max(entry.priority, priority);
    if (entry.dueMs === undefined) {
      if (isRaised && !this.processing.has(item)) entry.order = this.#order++;
    } else if (dueMs === undefined) {
      entry.dueMs = undefined;
      entry.order = this.#order++;
    } else entry.dueMs = Math.min(entry.dueMs, dueMs);
  }

  get(): string | undefined {
    const ready = this.#readyEntries();
    if (ready.length === 0) return undefined;
    const isOldestsTurn = ++this.#handOuts % 8 === 0;
    ready.sort((left, right) => (isOldestsTurn ? 0 : right.priority - left.priority) || left.order - right.order);
    const chosen = ready[0];
    this.#entries = this.#entries.filter((entry) => entry !== chosen);
    if (chosen !== undefined) this.processing.add(chosen.item);
    return chosen?.item;
  }

  done(item: string): void {
    if (!this.processing.delete(item)) return;
    const held = this.#entries.find((entry) => entry.item === item);
    if (held !== undefined && held.dueMs === undefined) held.order = this.#order++;
  }

  advance(ms: number): void {
    this.#nowMs += ms;
    const due = this.#entries.filter(({ dueMs }) => dueMs !== undefined && dueMs <= this.#nowMs);
    due.sort((left, right) => (left.dueMs ?? 0) - (right.dueMs ?? 0) || left.order - right.order);
    for (const entry of due) {
      entry.dueMs = undefined;
      entry.order = this.#order++;
    }
  }

  #readyEntries(): ModelEntry[] {
    return this.#entries.filter(({ item, dueMs }) => dueMs === undefined && !this.processing.has(item));
  }
}
