import { ManualClock, SeededRandom } from '@evenkeel/core';
import type { Pod, StatefulSet } from '@evenkeel/kinds';
import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';

const sets = '/apis/apps/v1/namespaces/default/statefulsets';
const pods = '/api/v1/namespaces/default/pods';

describe('the StatefulSet controller', () => {
  let server: ApiServer;
  let clock: ManualClock;

  beforeEach(async () => {
    clock = new ManualClock();
    server = await ApiServer.create({ clock, random: new SeededRandom(1) });
    // Controllers at work while no test runs would load modules then, which Jest forbids.
    await quiet();
  });
  afterEach(() => server.close());

  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown) =>
    (await request(server.transport(), method, path, body)).body;

  const podsOf = async (): Promise<Pod[]> => (await ask('GET', pods)).items;

  /** Until nothing that could have happened has been left. */
  async function quiet(): Promise<void> {
    for (let before = ''; ; ) {
      for (let turn = 0; turn < 40; turn++) await new Promise((resolve) => setImmediate(resolve));
      const now = (await ask('GET', pods)).metadata.resourceVersion;
      if (now === before) return;
      before = now;
    }
  }

  async function create(spec: object): Promise<void> {
    await ask('POST', sets, {
      metadata: { name: 'db' },
      spec: {
        selector: { matchLabels: { app: 'db' } },
        template: { metadata: { labels: { app: 'db' } }, spec: { containers: [{ name: 'a', image: 'a:1' }] } },
        ...spec,
      },
    });
    while ((await podsOf()).length === 0) await quiet();
    await quiet();
  }

  it('makes the next pod when the one before has been ready for as long as the set says, and not earlier', async () => {
    await create({ replicas: 3, minReadySeconds: 10 });
    for (const count of [1, 2]) {
      expect(await podsOf()).toHaveLength(count);
      await clock.advance(9_999);
      await quiet();
      expect(await podsOf()).toHaveLength(count);
      await clock.advance(1);
      await quiet();
    }
    expect(await podsOf()).toHaveLength(3);
    const status = async (): Promise<StatefulSet['status']> => (await ask('GET', `${sets}/db`)).status;
    expect(await status()).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 2 });
    await clock.advance(10_000);
    await quiet();
    expect(await status()).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3 });
  });

  it('leaves pods alone that match its selector and have no name of the set', async () => {
    const labels = { app: 'db' };
    const spec = { containers: [{ name: 'a', image: 'a:1' }] };
    for (const name of ['db-x', 'db-a-1', 'other-0', 'db-1-0']) {
      await ask('POST', pods, { metadata: { name, labels }, spec });
    }
    await create({ replicas: 1 });
    const owned = (await podsOf()).filter(({ metadata }) => metadata.ownerReferences !== undefined);
    expect(owned.map(({ metadata }) => metadata.name)).toEqual(['db-0']);
    expect(await podsOf()).toHaveLength(5);
  });
});
