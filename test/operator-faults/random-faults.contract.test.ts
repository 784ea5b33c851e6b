import { type Client, createClient } from '@evenkeel/client';
import { SeededRandom } from '@evenkeel/core';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { type Fault, FaultProxy } from '../fault-proxy.fixture.ts';
import { seed } from '../seed.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';

/** The number of seeds, starting with the seed in the report. */
const rounds = 3;

function refused(code: number, reason: string, headers: Record<string, string> = {}): Fault {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: 'a fault' };
  return { answer: { status: code, body: JSON.stringify(body), headers } };
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

  /** About one request in eight has a fault. */
  function faultsAtRandom(random: SeededRandom): FaultProxy['faultFor'] {
    return ({ method, isWatch }) => {
      switch (random.integer(48)) {
        case 0:
          return refused(500, 'InternalError');
        case 1:
          return refused(429, 'TooManyRequests', { 'retry-after': '1' });
        case 2:
          return method === 'GET' ? refused(410, 'Expired') : refused(409, 'Conflict');
        case 3:
          return { isReset: true };
        case 4:
          return { cutAfterBytes: isWatch ? random.integer(4000) : 0 };
        case 5:
          return isWatch ? { isRepeated: true } : refused(503, 'ServiceUnavailable');
        default:
          return undefined;
      }
    };
  }

  it.each(Array.from({ length: rounds }, (_, at) => seed + at))('seed %d', async (roundSeed) => {
    const random = new SeededRandom(roundSeed);
    const proxy = await FaultProxy.start(backend.transport());
    proxy.faultFor = faultsAtRandom(random);
    let operator = await SiteOperator.start(client, proxy.connection);
    const { namespace, outside } = operator;
    const next: (() => Promise<void>)[] = [
      async () => proxy.destroySockets(),
      async () => proxy.destroyWatches(),
      async () => {
        await proxy.stopListening();
        await operator.changeAtRandom(random, 3);
        await proxy.listenAgain();
      },
      async () => {
        proxy.isSilent = true;
        await operator.changeAtRandom(random, 3);
        proxy.isSilent = false;
      },
      async () => {
        const { names } = operator;
        await operator.stop();
        expect(operator.ledger.overlaps).toEqual([]);
        operator = await SiteOperator.start(client, proxy.connection, { namespace, outside, names });
      },
    ];
    try {
      for (let at = 0; at < 12; at++) {
        await operator.changeAtRandom(random, 4);
        await next[random.integer(next.length)]?.();
      }
      proxy.faultFor = () => undefined;
      // The rest of a started response never arrives.
      proxy.destroySockets();
      await operator.converges();
      // A watch that is still waiting for its retry must not cause work.
      await operator.eventually(() => {
        expect(operator.manager.health).toMatchObject({ ready: true, problems: [] });
      });
    } finally {
      await operator.stop();
      await proxy.close();
    }
  });
};

describeOnEveryServer('an operator with random faults', tests, { embedded: 'in process' });
