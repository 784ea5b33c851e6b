import type { Pod, StatefulSet } from '@evenkeel/kinds';
import { ControlledServer } from './controlled-server.fixture.ts';

const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const pods = '/api/v1/namespaces/default/pods';

describe('the StatefulSet controller', () => {
  let server: ControlledServer;

  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const podsOf = async (): Promise<Pod[]> => (await server.send('GET', pods)).items;

  async function create(spec: object): Promise<void> {
    await server.send('POST', sets, {
      metadata: { name: 'db' },
      spec: {
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        ...spec,
      },
    });
    while ((await podsOf()).length === 0) await server.quiet();
    await server.quiet();
  }

  it('creates the next pod only after the previous one has been ready for minReadySeconds', async () => {
    await create({ replicas: 3, minReadySeconds: 10 });
    for (const count of [1, 2]) {
      expect(await podsOf()).toHaveLength(count);
      await server.clock.advance(9_999);
      await server.quiet();
      expect(await podsOf()).toHaveLength(count);
      await server.clock.advance(1);
      await server.quiet();
    }
    expect(await podsOf()).toHaveLength(3);
    const status = async (): Promise<StatefulSet['status']> => (await server.send('GET', `${sets}/db`)).status;
    expect(await status()).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 2 });
    await server.clock.advance(10_000);
    await server.quiet();
    expect(await status()).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3 });
  });

  it('ignores pods that match its selector but not its naming', async () => {
    const labels = { app: 'db' };
    const spec = { containers: [{ name: 'a', image: 'a:1' }] };
    for (const name of ['db-x', 'db-a-1', 'other-0', 'db-1-0']) {
      await server.send('POST', pods, { metadata: { name, labels }, spec });
    }
    await create({ replicas: 1 });
    const owned = (await podsOf()).filter(({ metadata }) => metadata.ownerReferences !== undefined);
    expect(owned.map(({ metadata }) => metadata.name)).toEqual(['db-0']);
    expect(await podsOf()).toHaveLength(5);
  });
});
