import { type Client, createClient } from '@evenkeel/client';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { FaultProxy } from '../fault-proxy.fixture.ts';
import { installSites } from './backend-environment.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';

const tests = (start: () => Promise<ApiBackend>): void => {
  let backend: ApiBackend;
  let client: Client;
  let proxy: FaultProxy;
  let leaders = 0;

  beforeAll(async () => {
    backend = await start();
    client = createClient(backend.transport(), { fieldManager: 'test' });
    await installSites(client);
  });

  afterAll(() => backend.stop());

  beforeEach(async () => {
    proxy = await FaultProxy.start(backend.transport());
  });

  afterEach(() => proxy.close());

  /** A leader that is reconciling when its server fails. */
  async function leading(go: () => Promise<void> | void): Promise<SiteOperator> {
    const operator = await SiteOperator.start(client, proxy.connection, {
      // Longer than the test on the hurried clock, so that the loss of the Lease does not stop it.
      leaderElection: {
        name: `sites-${leaders++}`,
        namespace: 'default',
        leaseDuration: '900s',
        renewDeadline: '600s',
      },
      gracePeriod: '50s',
    });
    await operator.create('one', { pages: ['home'], text: 'one' });
    await operator.converges();
    const isIn = Promise.withResolvers<void>();
    const hasGone = Promise.withResolvers<void>();
    operator.ledger.middle = async () => {
      isIn.resolve();
      await hasGone.promise;
    };
    await operator.create('two', { pages: ['home', 'news'], text: 'two' });
    await isIn.promise;
    await go();
    hasGone.resolve();
    return operator;
  }

  async function endsWithin(operator: SiteOperator, ms: number): Promise<void> {
    const startMs = performance.now();
    await operator.stop();
    expect(performance.now() - startMs).toBeLessThan(ms);
    // Earlier requests have arrived when its sockets are closed.
    await operator.eventually(() => expect(proxy.openSockets).toBe(0));
    const asked = proxy.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(proxy.requests.slice(asked)).toEqual([]);
  }

  it('stops if the server exits during a reconcile', async () => {
    const operator = await leading(() => proxy.stopListening());
    await endsWithin(operator, 6000);
    await proxy.listenAgain();
  });

  it('stops if the server no longer responds', async () => {
    const operator = await leading(() => {
      proxy.isSilent = true;
    });
    await endsWithin(operator, 6000);
  });

  it('stops if the server rejects every request', async () => {
    const operator = await leading(() => {
      const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 500, reason: 'InternalError' };
      proxy.faultFor = () => ({ answer: { status: 500, body: JSON.stringify(status) } });
    });
    await endsWithin(operator, 6000);
  });
};

describeOnEveryServer('an operator that is stopped', tests, { embedded: 'in process' });
