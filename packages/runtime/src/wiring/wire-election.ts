import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Connection, createClient, httpsTransport, type Interceptor } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Logger, ObjectKey, type Random, type Transport } from '@evenkeel/core';
import { electionTiming, type LeaderElectionOptions } from '../election/election-timing.ts';
import type { FenceExemption } from '../election/fence-exemption.ts';
import { LeaderElection } from '../election/leader-election.ts';
import { LeaseLock } from '../election/lease-lock.ts';
import { writeFence } from '../election/write-fence.ts';
import type { EventRecorder } from '../event/event-recorder.ts';

export interface ElectionParts {
  /** The server of the Lease. Its requests use separate connections, so that other requests do not delay them. */
  readonly connection?: Connection | undefined;
  /** Counts the requests of a transport; undefined if nothing is measured. */
  readonly measured?: ((transport: Transport) => Transport) | undefined;
  /** Used if there is no connection. */
  readonly transport: Transport;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether another part of the manager already logs that the server does not respond. */
  readonly isAwayTold: () => boolean;
  /** The code that may write in every process; undefined if there is none. */
  readonly exemption: FenceExemption | undefined;
  /** Records an Event at the Lease when the leader changes. */
  readonly recorder: EventRecorder;
}

export interface WiredElection {
  readonly election: LeaderElection;
  /** For clients that only the leader may write with. */
  readonly interceptor: Interceptor;
  /** Closes its own connections. */
  close(): Promise<void>;
}

/** The election of a manager, not started. Throws `invalid-option` if its times are invalid or its namespace is unknown. */
export function wireElection(options: LeaderElectionOptions, parts: ElectionParts): WiredElection {
  const { connection, clock, random, logger, isAwayTold, recorder } = parts;
  const timing = electionTiming(options);
  const namespace = options.namespace ?? connection?.namespace;
  if (namespace === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      'leaderElection: the namespace of the Lease is unknown, because the manager was created with a transport; set leaderElection.namespace',
    );
  }
  const own = connection === undefined ? undefined : httpsTransport(connection, { maxConnections: 2 });
  const transport = own === undefined ? parts.transport : (parts.measured?.(own) ?? own);
  const client = createClient(transport, { clock, userAgent: `${parts.userAgent}/leader-election` });
  const election = new LeaderElection({
    lock: new LeaseLock(client, new ObjectKey(options.name, namespace)),
    identity: `${hostname()}_${randomUUID()}`,
    timing,
    releaseOnStop: options.releaseOnStop ?? true,
    stepIn: options.stepIn ?? false,
    clock,
    random,
    logger,
    isAwayTold,
    tell: (lease, note) =>
      recorder.record(lease, { type: 'Normal', reason: 'LeaderElection', action: 'LeaderElection', note }),
  });
  return {
    election,
    interceptor: writeFence(election, parts.exemption),
    close: connection === undefined ? async () => {} : () => transport.close(),
  };
}
