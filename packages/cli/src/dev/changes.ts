/** Wakes whoever waits for a change, of whatever: what has changed is looked up then. */
export class Changes {
  #next = Promise.withResolvers<void>();
  #count = 0;

  /** How often something has changed so far. */
  get count(): number {
    return this.#count;
  }

  tell(): void {
    this.#count++;
    this.#next.resolve();
    this.#next = Promise.withResolvers();
  }

  /** Resolves when more has changed than that, at once where it has; rejects with the signal's reason. */
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
