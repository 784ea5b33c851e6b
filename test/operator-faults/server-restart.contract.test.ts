import { SeededRandom } from '@evenkeel/core';
import { seed } from '../seed.fixture.ts';
import { SiteOperator } from './proxied-operator.fixture.ts';
import { describeOnRestartableServers, type RestartableServer } from './restartable-server.fixture.ts';
import { Site } from './site-operator.fixture.ts';

const tests = (start: () => Promise<RestartableServer>): void => {
  let server: RestartableServer;
  let operator: SiteOperator;

  beforeAll(async () => {
    server = await start();
  });

  afterAll(() => server.stop());

  beforeEach(async () => {
    operator = await SiteOperator.start(server.client, server.connection);
  });

  afterEach(() => operator.stop());

  it('is killed during reconciles and restarted', async () => {
    await operator.create('before', { pages: ['home'], text: 'first' });
    await operator.converges();
    const isAway = Promise.withResolvers<void>();
    const mayReturn = Promise.withResolvers<void>();
    let restarted: Promise<void> | undefined;
    operator.ledger.middle = async () => {
      restarted ??= server.restart(async () => {
        isAway.resolve();
        await mayReturn.promise;
      });
      await isAway.promise;
    };
    await Promise.all(
      ['one', 'two', 'three'].map((name) => operator.create(name, { pages: ['home', 'news'], text: name })),
    );
    await operator.eventually(() => expect(operator.runs.some(({ outcome }) => outcome === 'failed')).toBe(true));
    await operator.eventually(() => expect(operator.manager.health.problems).not.toEqual([]));
    mayReturn.resolve();
    await restarted;
    await operator.change('before', { text: 'second' });
    await operator.converges();
    // A watch that is still waiting for its retry must not cause work.
    await operator.eventually(() => {
      expect(operator.manager.health).toMatchObject({ ready: true, problems: [] });
    });
  });

  it('is set back to older data, with reused versions and lost uids', async () => {
    const random = new SeededRandom(seed);
    await operator.changeAtRandom(random, 12);
    await operator.converges();
    await operator.create('held', { pages: [], text: 'held' }, { finalizers: ['example.org/held'] });
    await operator.converges();
    await server.backUp();
    const before = (await server.client.list(Site, { namespace: operator.namespace })).items.length;
    await operator.create('lost', { pages: ['home'], text: 'lost' });
    await operator.changeAtRandom(random, 30);
    await operator.converges();
    // Its deletion is half finished when it is reverted.
    await operator.delete('held');
    await operator.eventually(() => expect([...operator.outside.keys()]).not.toContain(operator.key('held')));
    // External state is not set back. Existing sites must be published again, so each must be reconciled again.
    await server.setBack(() => operator.outside.clear());
    operator.isSetBack = true;
    await operator.converges();
    const { items } = await server.client.list(Site, { namespace: operator.namespace });
    expect([items.length, items.some(({ metadata }) => metadata.name === 'lost')]).toEqual([before, false]);
    await operator.delete('held');
    await operator.eventually(() => expect([...operator.outside.keys()]).not.toContain(operator.key('held')));
    const merge = { metadata: { finalizers: null } };
    await operator.eventually(async () => {
      const { metadata } = await server.client.get(Site, operator.key('held'));
      expect(metadata.finalizers).toEqual(['example.org/held']);
    });
    await server.client.patch(Site, operator.key('held'), { merge });
    await operator.changeAtRandom(random, 10);
    await operator.converges();
  });
};

describeOnRestartableServers(`an operator whose server (seed ${seed})`, tests);
