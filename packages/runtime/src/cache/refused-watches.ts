/** A rejected watch is retried after 1 to 2 s, so that a user sees the effect of a fix at once. */
const longestDelayMs = 2000;
/** The total rate of retries of all rejected watches. One rejection takes a server about half a millisecond. */
const requestsPerSecond = 20;
/** A delay is random, between half and all of the longest one. */
const longestByMean = 4 / 3;

/**
 * The watches of a cache that the server rejects, because it does not serve their kind or does not permit it. No event reports
 * when this changes, so they are retried repeatedly, at a shared rate.
 */
export class RefusedWatches {
  readonly #refused = new Set<object>();

  /** Sets whether a watch is rejected now. */
  set(watch: object, isRefused: boolean): void {
    if (isRefused) this.#refused.add(watch);
    else this.#refused.delete(watch);
  }

  /** The longest delay of each of them. */
  get delayMs(): number {
    return Math.max(longestDelayMs, (this.#refused.size / requestsPerSecond) * 1000 * longestByMean);
  }
}
