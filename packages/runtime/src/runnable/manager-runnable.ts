import type { Client } from '@evenkeel/client';

/**
 * Work of an operator beside its controllers: a server, a periodic report, a clean-up. A manager starts it after its caches
 * have begun to fill and stops it before they end.
 */
export interface ManagerRunnable {
  /** Stands in messages. Default: the class's name. */
  readonly name?: string;
  /**
   * True: it runs in every replica, from the start, and is stopped first. Default false: it runs where this process leads,
   * as the controllers do, and is stopped with them. Without leader election each process leads.
   */
  readonly onEveryReplica?: boolean;
  /**
   * Resolves when it works; long work goes on behind it. A rejection, like a later `failed(error)`, ends the manager.
   *
   * What it writes with `client` is sent on every replica where it runs on every replica. The injected Client writes only
   * in a process that leads.
   */
  start(failed: (error: unknown) => void, client: Client): Promise<void>;
  /**
   * Takes no new work and resolves when the work in hand is done. When `abort` is aborted the grace period is over, or the
   * leadership lost: it then has a second to end. Called once, also where `start` has not resolved yet.
   */
  stop(abort: AbortSignal): Promise<void>;
}
