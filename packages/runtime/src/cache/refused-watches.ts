/** A refusal is asked again after 1 to 2 s, so that who mends what is missing sees at once that it was that. */
const longestDelayMs = 2000;
/** All that are refused ask this often together, whatever their number: one refusal takes a server about half a millisecond. */
const requestsPerSecond = 20;
/** A delay is spread by chance between a half and all of the longest. */
const longestByMean = 4 / 3;

/**
 * The watches of a cache that the server refuses, because it does not serve their kind or does not grant it. No event says
 * that this has changed, so they are asked again and again, and share how often.
 */
export class RefusedWatches {
  readonly #refused = new Set<object>();

  /** Tells of a watch whether it is refused now. */
  set(watch: object, isRefused: boolean): void {
    if (isRefused) this.#refused.add(watch);
    else this.#refused.delete(watch);
  }

  /** The longest that each of them should wait. */
  get delayMs(): number {
    return Math.max(longestDelayMs, (this.#refused.size / requestsPerSecond) * 1000 * longestByMean);
  }
}
