import { type Client, createClient } from '@evenkeel/client';
import {
  type Clock,
  Clock as ClockClass,
  type KubernetesObject,
  type LogKeys,
  ManualClock,
  ObjectKey,
  type Random,
  SilentLogger,
  type Timer,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '@evenkeel/core';
import type { Lease } from '@evenkeel/kinds/coordination/v1';
import { electionTiming, type LeaderElectionOptions } from './election-timing.ts';
import { LeaderElection } from './leader-election.ts';
import { LeaseLock } from './lease-lock.ts';
import { writeFence } from './write-fence.ts';

/** What happens to one request. Times are in milliseconds. */
export interface Fate {
  /** The time until the server has received it. */
  readonly thereMs?: number;
  /** The time until the response has arrived. */
  readonly backMs?: number;
  /** The request or its response never arrives. */
  readonly lost?: 'request' | 'answer';
  /** The server rejects it with this status. */
  readonly status?: number;
}

/** A server with only one Lease, which records the received requests. It rejects requests like the API server. */
export class LeaseServer {
  lease: Lease | undefined;
  /** The senders and times of the received requests. */
  readonly received: {
    readonly from: string;
    readonly method: string;
    readonly path: string;
    readonly atMs: number;
  }[] = [];
  readonly #clock: ManualClock;
  #version = 0;

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  /** Returns the transport of one candidate. Its `clock` delays responses while it is paused. */
  transport(from: string, clock: Clock, fate: (request: TransportRequest) => Fate | Error): Transport {
    return {
      request: (request) =>
        new Promise((resolve, reject) => {
          const { signal } = request;
          const onAbort = (): void => reject(signal?.reason);
          if (signal?.aborted === true) return onAbort();
          signal?.addEventListener('abort', onAbort, { once: true });
          const faring = fate(request);
          if (faring instanceof Error) {
            clock.schedule(0, () => reject(faring));
            return;
          }
          const { thereMs = 0, backMs = 0, lost, status } = faring;
          if (lost === 'request') return;
          // Once sent, a request continues with the true clock, even if it is aborted.
          this.#clock.schedule(thereMs, () => {
            const response =
              status === undefined
                ? this.#answer(from, request)
                : refused(status, status === 403 ? 'Forbidden' : 'InternalError');
            if (lost === 'answer') return;
            this.#clock.schedule(backMs, () => clock.schedule(0, () => resolve(response)));
          });
        }),
      close: async () => {},
    };
  }

  /** Writes the Lease as another client. */
  edit(spec: Lease['spec'], metadata = this.lease?.metadata): void {
    this.lease = this.#stored({ metadata: { ...metadata }, spec } as Lease);
  }

  #answer(from: string, { method, path, body }: TransportRequest): TransportResponse {
    this.received.push({ from, method, path, atMs: this.#clock.monotonic() });
    const sent = body === undefined ? undefined : (JSON.parse(String(body)) as Lease);
    if (!path.includes('/leases')) return json(200, { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' } });
    if (method === 'GET') return this.lease === undefined ? refused(404, 'NotFound') : json(200, this.lease);
    if (method === 'POST') {
      if (this.lease !== undefined) return refused(409, 'AlreadyExists');
      this.lease = this.#stored(sent as Lease);
      return json(201, this.lease);
    }
    if (this.lease === undefined) return refused(404, 'NotFound');
    if (sent?.metadata.resourceVersion !== this.lease.metadata.resourceVersion) return refused(409, 'Conflict');
    this.lease = this.#stored(sent as Lease);
    return json(200, this.lease);
  }

  #stored({ spec, metadata: { annotations } }: Lease): Lease {
    const resourceVersion = String(++this.#version);
    const metadata = { name: 'nginx', namespace: 'default', resourceVersion, ...(annotations && { annotations }) };
    return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata, spec } as Lease;
  }
}

function refused(code: number, reason: string): TransportResponse {
  return json(code, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason,
    code,
    message: reason,
  });
}

function json(status: number, body: unknown): TransportResponse {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: (async function* () {
      yield bytes;
    })(),
  };
}

/** The clock of one of several processes on one true clock. While it is paused, none of its calls becomes due. */
export class PausableClock extends ClockClass {
  readonly #clock: ManualClock;
  #overdue: (() => void)[] | undefined;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  schedule(delayMs: number, callback: () => void): Timer {
    let isCancelled = false;
    const run = (): void => {
      if (isCancelled) return;
      if (this.#overdue === undefined) callback();
      else this.#overdue.push(run);
    };
    const timer = this.#clock.schedule(delayMs, run);
    return {
      cancel: () => {
        isCancelled = true;
        timer.cancel();
      },
    };
  }

  pause(): void {
    this.#overdue ??= [];
  }

  /** Makes the calls that became due meanwhile, in random order, because the order of timers and sockets is not defined. */
  resume(random: Random): void {
    const overdue = this.#overdue ?? [];
    this.#overdue = undefined;
    while (overdue.length > 0) overdue.splice(random.integer(overdue.length), 1)[0]?.();
  }
}

export class Lines extends SilentLogger {
  readonly lines: string[] = [];

  override info(message = ''): void {
    this.lines.push(message);
  }

  override warn(message = '', keys?: LogKeys): void {
    const error = keys?.['error'];
    this.lines.push(error instanceof Error ? `${message}: ${error.message}` : message);
  }
}

export interface Candidate {
  readonly election: LeaderElection;
  readonly clock: PausableClock;
  /** A client with the fence of this election. */
  readonly client: Client;
  readonly logger: Lines;
  readonly notes: string[];
  /** The events of this candidate, in order. */
  readonly story: unknown[];
}

/** Returns a started candidate on a shared server. */
export function candidate(
  identity: string,
  server: LeaseServer,
  trueClock: ManualClock,
  random: Random,
  {
    fate = () => ({}),
    isAwayTold = () => false,
    ...options
  }: Partial<LeaderElectionOptions> & {
    fate?: (request: TransportRequest) => Fate | Error;
    isAwayTold?: () => boolean;
  } = {},
): Candidate {
  const clock = new PausableClock(trueClock);
  const logger = new Lines();
  const notes: string[] = [];
  const story: unknown[] = [];
  const transport = server.transport(identity, clock, fate);
  const election = new LeaderElection({
    lock: new LeaseLock(createClient(transport, { clock }), new ObjectKey('nginx', 'default')),
    identity,
    timing: electionTiming({ name: 'nginx', ...options }),
    releaseOnStop: options.releaseOnStop ?? true,
    stepIn: options.stepIn ?? false,
    clock,
    random,
    logger,
    isAwayTold,
    tell: (lease: KubernetesObject, note) => notes.push(`${lease.kind} ${lease.metadata.name}: ${note}`),
  });
  election
    .start((error) => story.push(error))
    .then(
      () => story.push('elected'),
      () => story.push('not elected'),
    );
  const client = createClient(transport, { clock, fieldManager: identity, interceptors: [writeFence(election)] });
  return { election, clock, client, logger, notes, story };
}
