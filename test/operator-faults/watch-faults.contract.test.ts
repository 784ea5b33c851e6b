import { type Client, createClient } from '@evenkeel/client';
import { SeededRandom } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { type Fault, FaultProxy } from '../fault-proxy.fixture.ts';
import { seed } from '../seed.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';
import { Site } from './site-operator.fixture.ts';

function status(code: number, reason: string): Fault {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message: reason };
  return { answer: { status: code, body: JSON.stringify(body) } };
}

const expired = status(410, 'Expired');

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;
  let proxy: FaultProxy;
  let operator: SiteOperator;
  let random: SeededRandom;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await installSites(client);
  });

  afterAll(() => backend.stop());

  beforeEach(async () => {
    random = new SeededRandom(seed);
    proxy = await FaultProxy.start(backend.transport());
    operator = await SiteOperator.start(client, proxy.connection);
  });

  afterEach(async () => {
    await operator.stop();
    await proxy.close();
  });

  /** The faults of the next watches, one each. */
  function faultTheNextWatches(...faults: Fault[]): void {
    proxy.faultFor = ({ isWatch }) => (isWatch ? faults.shift() : undefined);
  }

  it('repeatedly find that their versions are gone', async () => {
    await operator.changeAtRandom(random, 10);
    faultTheNextWatches(expired, expired, expired, expired, expired, expired);
    proxy.destroySockets();
    await operator.changeAtRandom(random, 20);
    await operator.converges();
  });

  it('report everything twice', async () => {
    proxy.faultFor = ({ isWatch }) => (isWatch ? { isRepeated: true } : undefined);
    proxy.destroySockets();
    await operator.changeAtRandom(random, 30);
    await operator.converges();
  });

  it('list again when one of its own writes hides an earlier change of another client', async () => {
    await operator.create('hidden', { pages: ['home'], text: 'first' });
    await operator.converges();
    let isShut = true;
    proxy.faultFor = ({ isWatch, path }) => {
      if (!isWatch) return undefined;
      if (isShut) return status(429, 'TooManyRequests');
      return path.includes('sendInitialEvents') ? undefined : expired;
    };
    let passes = 0;
    operator.ledger.middle = async (_site, context) => {
      if (passes++ > 0) return;
      proxy.destroyWatches();
      await operator.change('hidden', { text: 'second' });
      // Without a resource version, as most writes except those of the status.
      const merge = { metadata: { annotations: { 'example.com/seen': 'yes' } } };
      await context.client.patch(Site, String(context.key), { merge });
      isShut = false;
    };
    await client.delete(ConfigMap, operator.key('hidden-home'));
    // Until the change is made, everything is in the desired state.
    await operator.eventually(() => expect(isShut).toBe(false));
    expect(passes).toBeGreaterThan(0);
    await operator.converges();
  });
};

describeOnEveryServer(`an operator whose watches (seed ${seed})`, tests, { embedded: 'in process' });
