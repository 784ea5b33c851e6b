import type { Client } from '@evenkeel/client';

/**
 * Work of an operator besides its controllers: a server, a periodic report, a clean-up. The manager starts it after its caches
 * have started to fill, and stops it before the caches.
 *
 * If runnables are classes, one starts after the others that are injected into it, also through services, and stops before them.
 * A controller starts after the runnables that it needs. Runnables that do not need each other start and stop at the same time.
 * Not ordered: those with another `onEveryReplica`, and parameters that only inversify can resolve, such as names and tags.
 */
export interface ManagerRunnable {
  /** The name in messages. Default: the name of the class. */
  readonly name?: string;
  /**
   * If true, it runs in each replica from the start and is stopped first. If false (default), it runs only while this process
   * is the leader and is stopped together with the controllers. Without leader election, each process is a leader.
   */
  readonly onEveryReplica?: boolean;
  /**
   * Must resolve when it is ready; long work continues in the background. A rejection or a later call of `failed(error)` stops
   * the manager.
   *
   * With `onEveryReplica`, `client` can write on each replica. The injected Client can write only while this process is the
   * leader.
   */
  start(failed: (error: unknown) => void, client: Client): Promise<void>;
  /**
   * Must accept no new work, and resolve when the current work is finished. `abort` is aborted when the grace period is over or
   * the leadership is lost; the runnable then has 1 s to stop. Called once, even if `start` has not resolved yet.
   */
  stop(abort: AbortSignal): Promise<void>;
}
