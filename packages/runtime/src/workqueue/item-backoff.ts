/** controller-runtime's per-item limiter: 5 ms, doubled with each failure, at most 1000 s; no bucket beside it. */
const firstDelayMs = 5;
const longestDelayMs = 1_000_000;

/** How long each item waits before it is tried again, by how often it has failed in a row. */
export class ItemBackoff<T> {
  readonly #failures = new Map<T, number>();

  /** Counts a failure and gives the delay that follows it, in milliseconds. */
  next(item: T): number {
    const failures = this.#failures.get(item) ?? 0;
    this.#failures.set(item, failures + 1);
    // Beyond 2^30 the product would leave the range in which it is exact; the cap is reached long before.
    return Math.min(firstDelayMs * 2 ** Math.min(failures, 30), longestDelayMs);
  }

  failures(item: T): number {
    return this.#failures.get(item) ?? 0;
  }

  forget(item: T): void {
    this.#failures.delete(item);
  }
}
