/** Wakes up all waiters when something changes. It does not record what changed; the waiters look it up. */
export class Changes {
  #next = Promise.withResolvers<void>();
  #count = 0;

  /** The number of changes so far. */
  get count(): number {
    return this.#count;
  }

  notify(): void {
    this.#count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Resolves when the count exceeds `count`, immediately if it already does. Rejects with the signal's reason. */
  async beyond(count: number, signal: AbortSignal): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    try {
      signal.throwIfAborted();
      while (this.#count === count) await Promise.race([this.#next.promise, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }
}
