/** A component that a manager starts and stops: a cache, a controller, a server. */
export interface Runnable {
  /** The name in messages, such as `controller nginx`. */
  readonly name: string;
  /**
   * Resolves when later components may rely on this one. Long work continues in the background. A rejection or a later call of
   * `failed(error)` stops the manager. If the election fails, the manager stops without a grace period, except with `inOrder`.
   */
  start(failed: (error: unknown, inOrder?: boolean) => void): Promise<void>;
  /**
   * Accepts no new work and resolves when the current work is finished. `abort` is aborted when the grace period is over: it must
   * then stop immediately and resolve. Called once, even if `start` has not resolved yet.
   */
  stop(abort: AbortSignal): Promise<void>;
  /** Called when the stop of the manager begins, before any component is stopped. It must not throw. Default: nothing. */
  stopping?(): void;
}
