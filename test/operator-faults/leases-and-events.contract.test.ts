import { type Client, createClient } from '@evenkeel/client';
import type { EvenkeelError } from '@evenkeel/core';
import { Namespace } from '@evenkeel/kinds';
import { Lease } from '@evenkeel/kinds/coordination/v1';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { type Fault, FaultProxy } from '../fault-proxy.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';

function refused(code: number, reason: string, headers: Record<string, string> = {}): Fault {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: 'a fault' };
  return { answer: { status: code, body: JSON.stringify(body), headers } };
}

/** The faults of a call, as in `CallFault`. */
const faults: Readonly<Record<string, Fault>> = {
  'internal error': refused(500, 'InternalError'),
  'too many requests': refused(429, 'TooManyRequests', { 'retry-after': '1' }),
  conflict: refused(409, 'Conflict'),
  'no answer': { isHeld: true },
  'connection reset': { isReset: true },
  'answer lost': { cutAfterBytes: 0 },
};

const everyCall = 0;

/** An operator with faults in some of its calls. */
interface Struck {
  readonly operator: SiteOperator;
  readonly proxy: FaultProxy;
  /** The number of calls for the resource so far. */
  readonly seen: () => number;
  /** Restarts the count of calls. */
  readonly again: () => void;
}

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await installSites(client);
  });

  afterAll(() => backend.stop());

  async function withOperator(
    resource: 'leases' | 'events',
    isStruck: (at: number) => boolean,
    fault: Fault,
    use: (struck: Struck) => Promise<void>,
  ): Promise<void> {
    const proxy = await FaultProxy.start(backend.transport());
    let seen = 0;
    proxy.faultFor = ({ path }) => (new RegExp(`/${resource}\\b`).test(path) && isStruck(++seen) ? fault : undefined);
    const { metadata } = await client.create(Namespace, { metadata: { generateName: 'told-' } });
    const { name: namespace } = metadata;
    const operator = await SiteOperator.start(client, proxy.connection, {
      namespace,
      // Longer than the test on the hurried clock, so no fault costs the Lease.
      leaderElection: { name: 'sites', namespace, leaseDuration: '900s', renewDeadline: '600s' },
      // 20 s on that clock.
      gracePeriod: '1000s',
      // No run may fail because of a busy machine. An election abandons its calls by itself after 6 s.
      inactivityTimeoutMs: resource === 'leases' ? 60_000 : 6000,
    });
    const again = (): void => {
      seen = 0;
    };
    try {
      await use({ operator, proxy, seen: () => seen, again });
    } finally {
      await operator.stop();
      await proxy.close();
    }
  }

  /** Creates and changes a site. */
  async function live(operator: SiteOperator): Promise<void> {
    await operator.create('one', { pages: ['home'], text: 'first' });
    await operator.converges();
    await operator.change('one', { pages: ['home', 'news'], text: 'second' });
    await operator.converges();
  }

  /**
   * Waits until everything is done, checks that no run failed, and stops the operator. On a loaded machine, the cache of a real
   * server may be seconds late. A run that notices it fails, and is repeated.
   */
  async function endsWell({ operator }: Struck): Promise<void> {
    const failed = operator.runs.filter(({ outcome }) => outcome === 'failed');
    expect(failed.filter(({ error }) => (error as EvenkeelError).code !== 'child-not-cached')).toEqual([]);
    await operator.eventually(() => {
      expect(operator.manager.health).toMatchObject({ ready: true, problems: [], leadership: { role: 'leader' } });
    });
    expect(await operator.manager.stop()).toEqual({ drained: true });
  }

  /** A round for each fault and number of a call, eight in parallel. */
  async function sweep(calls: readonly number[], round: (at: number, fault: Fault) => Promise<void>): Promise<void> {
    const rounds = Object.entries(faults).flatMap((named) => calls.map((at) => [...named, at] as const));
    const next = rounds.values();
    const lane = async (): Promise<void> => {
      for (const [name, fault, at] of next) {
        await round(at, fault).catch((error: unknown) => {
          throw new Error(`${name} at call ${at}: ${error instanceof Error ? error.message : error}`, { cause: error });
        });
      }
    };
    await Promise.all(Array.from({ length: 8 }, lane));
  }

  it('lead and work if a call for the Lease has a fault', async () => {
    await sweep([1, 2, 3, 4], async (at, fault) => {
      await withOperator(
        'leases',
        (call) => call === at,
        fault,
        async (struck) => {
          const { operator, seen } = struck;
          await live(operator);
          await operator.eventually(() => expect(seen()).toBeGreaterThan(at));
          await endsWell(struck);
          const { spec } = await client.get(Lease, `${operator.namespace}/sites`);
          expect(spec).toMatchObject({ holderIdentity: '', leaseTransitions: 0 });
        },
      );
    });
  });

  it('stop if the release of the Lease has a fault', async () => {
    await sweep([1, 2], async (at, fault) => {
      let isStopping = false;
      await withOperator(
        'leases',
        (call) => isStopping && call === at,
        fault,
        async (struck) => {
          await live(struck.operator);
          struck.again();
          isStopping = true;
          await endsWell(struck);
          expect(struck.seen()).toBeGreaterThanOrEqual(at);
        },
      );
    });
  });

  it('work if one Event or all Events have faults', async () => {
    await sweep([1, 2, 3, everyCall], async (at, fault) => {
      await withOperator(
        'events',
        (call) => at === call || at === everyCall,
        fault,
        async (struck) => {
          const { operator, seen } = struck;
          await live(operator);
          await operator.eventually(() => expect(seen()).toBeGreaterThanOrEqual(3));
          await endsWell(struck);
        },
      );
    });
  });
};

describeOnEveryServer('whole operators with faults of Leases and Events', tests, { embedded: 'in process' });
