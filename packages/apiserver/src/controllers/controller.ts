import type { Clock, Logger, Random } from '@evenkeel/core';
import type { ServerClient } from './server-client.ts';
import type { SyncTurns } from './sync-turns.ts';

/**
 * A controller that runs inside the server, such as the one for Deployments: the part of kube-controller-manager,
 * scheduler and kubelet that makes an operator's objects converge.
 *
 * It must not keep the process alive: timers come from `context.clock` with `unref`. It must survive errors of its own
 * writes (a conflict, a deleted namespace): log nothing, try again on the next event or after a delay.
 */
export interface EmbeddedController {
  /** In kebab case, as kube-controller-manager names it (`deployment-controller`); the key under which it is switched off. */
  readonly name: string;
  /** Starts it. The returned function stops it: no write may follow, watches and timers are ended. */
  start(context: ControllerContext): () => void;
}

export interface ControllerContext {
  /** Acts as this controller: its name is the user (`system:serviceaccount:kube-system:NAME`). */
  readonly client: ServerClient;
  readonly clock: Clock;
  readonly random: Random;
  /** The turns of the event loop, which all controllers of the server share. */
  readonly turns: SyncTurns;
  /** Says which controller it is. Only for what a person must know of; see {@link EmbeddedController} for the rest. */
  readonly logger: Logger;
  /**
   * The certificate of the authority that vouches for the server once it listens. Resolves then, or after a moment: to make
   * it takes a fifth of a server's start, and most servers without a socket are gone before anybody reads it.
   */
  readonly rootCaPem: () => Promise<string>;
}
