import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type Connection, createClient, httpsTransport, type Interceptor } from '@evenkeel/client';
import { type Clock, EvenkeelError, type Logger, ObjectKey, type Random, type Transport } from '@evenkeel/core';
import { electionTiming, type LeaderElectionOptions } from '../election/election-timing.ts';
import { LeaderElection } from '../election/leader-election.ts';
import { LeaseLock } from '../election/lease-lock.ts';
import { writeFence } from '../election/write-fence.ts';
import type { EventRecorder } from '../event/event-recorder.ts';

export interface ElectionParts {
  /** Where the Lease is kept; its requests have connections of their own, so that no others hold them up. */
  readonly connection?: Connection | undefined;
  /** Counts the requests of a transport; undefined where nothing is measured. */
  readonly measured?: ((transport: Transport) => Transport) | undefined;
  /** In place of a connection. */
  readonly transport: Transport;
  readonly userAgent: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Whether somebody else says that the server does not answer. */
  readonly isAwayTold: () => boolean;
  /** Tells of the Lease who leads. */
  readonly recorder: EventRecorder;
}

export interface WiredElection {
  readonly election: LeaderElection;
  /** For clients whose writes only the leader may send. */
  readonly interceptor: Interceptor;
  /** Ends the connections of its own. */
  close(): Promise<void>;
}

/** The election of a manager, not begun. Throws `invalid-option` where its times or its namespace do not do. */
export function wireElection(options: LeaderElectionOptions, parts: ElectionParts): WiredElection {
  const { connection, clock, random, logger, isAwayTold, recorder } = parts;
  const timing = electionTiming(options);
  const namespace = options.namespace ?? connection?.namespace;
  if (namespace === undefined) {
    throw new EvenkeelError(
      'invalid-option',
      'leaderElection: a manager that was given a transport does not know its namespace; give leaderElection.namespace',
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
    clock,
    random,
    logger,
    isAwayTold,
    tell: (lease, note) =>
      recorder.record(lease, { type: 'Normal', reason: 'LeaderElection', action: 'LeaderElection', note }),
  });
  return {
    election,
    interceptor: writeFence(election),
    close: connection === undefined ? async () => {} : () => transport.close(),
  };
}
