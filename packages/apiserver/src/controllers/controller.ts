import type { CertificateAuthority } from '@evenkeel/apimachinery/certificate';
import type { Clock, Logger, Random } from '@evenkeel/core';
import type { ServerClient } from './server-client.ts';
import type { SyncTurns } from './sync-turns.ts';

/**
 * A controller that runs inside the server, such as the one for Deployments. Together they are the part of
 * kube-controller-manager, scheduler and kubelet that an operator's objects need in order to converge.
 *
 * A controller must not keep the process alive: use timers of `context.clock` with `unref`. It must handle errors of its
 * own writes (a conflict, a deleted namespace): log nothing, and retry on the next event or after a delay.
 */
export interface EmbeddedController {
  /** In kebab case, as in kube-controller-manager (`deployment-controller`); the key in `controllers` that disables it. */
  readonly name: string;
  /** The service account in `kube-system` whose permissions it has. Default: its name. */
  readonly account?: string;
  /** Starts the controller. The returned function stops it: it ends watches and timers, and no write follows. */
  start(context: ControllerContext): () => void;
}

export interface ControllerContext {
  /** Writes as this controller: its account is the user (`system:serviceaccount:kube-system:ACCOUNT`). */
  readonly client: ServerClient;
  readonly clock: Clock;
  readonly random: Random;
  /** The turns of the event loop, which all controllers of the server share. */
  readonly turns: SyncTurns;
  /** Names the controller in each entry. Only for reports that a user must see; see {@link EmbeddedController}. */
  readonly logger: Logger;
  /**
   * The CA certificate of the server once it listens. Resolves then, or after a short delay: to create it takes a fifth of
   * a server's start, and most servers without a socket are closed before it is needed.
   */
  readonly rootCaPem: () => Promise<string>;
  /** The authority of the server, which is created if it does not exist yet. */
  readonly authority: () => Promise<CertificateAuthority>;
}
