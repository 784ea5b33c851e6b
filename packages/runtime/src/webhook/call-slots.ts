/** Limits how many calls are in progress. Others wait in the order in which they came. */
export class CallSlots {
  #free: number;
  /** The waiting calls by their promises, in order. */
  readonly #waiting = new Map<Promise<void>, () => void>();

  constructor(most: number) {
    this.#free = most;
  }

  /** Takes a slot and returns undefined, or returns a promise that resolves with a slot for the caller. */
  take(): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(promise, resolve);
    return promise;
  }

  /** Stops waiting. A slot that has been given in the meantime is free again. */
  leave(waiting: Promise<void>): void {
    if (!this.#waiting.delete(waiting)) this.free();
  }

  /** Gives the slot of a call that has ended to the next. */
  free(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    const [promise, begin] = next;
    this.#waiting.delete(promise);
    begin();
  }
}
