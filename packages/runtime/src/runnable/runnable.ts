/** Something a manager starts and stops: a cache, a controller, a server. */
export interface Runnable {
  /** Stands in messages: `controller nginx`. */
  readonly name: string;
  /**
   * Resolves when what starts after this may rely on it. Long work goes on behind it. A rejection, like a later
   * `failed(error)`, ends the manager.
   */
  start(failed: (error: unknown) => void): Promise<void>;
  /**
   * Takes no new work and resolves when the work in hand is done. When `abort` is aborted the grace period is over: end
   * at once what is left, and resolve. Called once, also where `start` has not resolved yet.
   */
  stop(abort: AbortSignal): Promise<void>;
}
