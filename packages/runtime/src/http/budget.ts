interface Waiting {
  readonly amount: number;
  readonly begin: () => void;
}

/** An amount of something, such as bytes or concurrent calls, that several users share. Who gets none waits, in order. */
export class Budget {
  readonly #all: number;
  #free: number;
  readonly #waiting = new Map<Promise<void>, Waiting>();

  constructor(all: number) {
    this.#all = all;
    this.#free = all;
  }

  /**
   * Takes an amount and returns undefined, or returns a promise that resolves when the caller has it. Who takes more than there is
   * gets all of it.
   */
  take(given: number): Promise<void> | undefined {
    const amount = Math.min(given, this.#all);
    if (this.#waiting.size === 0 && amount <= this.#free) {
      this.#free -= amount;
      return undefined;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(promise, { amount, begin: resolve });
    return promise;
  }

  /** Stops waiting for an amount. What the caller has got in the meantime is free again. */
  leave(waiting: Promise<void>, amount: number): void {
    if (!this.#waiting.delete(waiting)) this.free(amount);
    else this.#next();
  }

  /** Gives back what was taken. */
  free(amount: number): void {
    this.#free += Math.min(amount, this.#all);
    this.#next();
  }

  #next(): void {
    for (const [promise, { amount, begin }] of this.#waiting) {
      if (amount > this.#free) return;
      this.#waiting.delete(promise);
      this.#free -= amount;
      begin();
    }
  }
}
