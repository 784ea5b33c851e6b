/** The values of controller-runtime's limiter for each item: 5 ms, doubled with each failure, at most 1000 s. */
const firstDelayMs = 5;
const longestDelayMs = 1_000_000;

/** The delay of each item before its next retry, by the number of its consecutive failures. */
export class ItemBackoff<T> {
  readonly #failures = new Map<T, number>();

  /** Counts a failure and returns the delay until the retry, in milliseconds. */
  next(item: T): number {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    // Beyond 2^30 the product would no longer be exact. The maximum is reached long before.
    return Math.min(firstDelayMs * 2 ** Math.min(failures, 30), longestDelayMs);
  }

  failures(item: T): number {
    return this.#failures.get(item) ?? 0;
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }
}
