import type { DaemonSet, Pod } from '@evenkeel/kinds';
import { ControlledServer } from '../controlled-server.fixture.ts';

const sets = '/apis/apps/v1/namespaces/default/daemonsets';
const pods = '/api/v1/namespaces/default/pods';

describe('the DaemonSet controller', () => {
  let server: ControlledServer;

  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const podsOf = async (): Promise<Pod[]> => (await server.send('GET', pods)).items;
  const status = async (): Promise<DaemonSet['status']> => (await server.send('GET', `${sets}/agent`)).status;

  async function create(spec: object, pod: object = {}): Promise<void> {
    await server.send('POST', sets, {
      metadata: { name: 'agent' },
      spec: {
        selector: { matchLabels: { app: 'agent' } },
        template: {
          metadata: { labels: { app: 'agent' } },
          spec: { containers: [{ name: 'a', image: 'a:1' }], ...pod },
        },
        ...spec,
      },
    });
    // The controller is loaded with the first DaemonSet.
    await server.until(async () => (await podsOf()).length > 0);
    await server.quiet();
  }

  it('runs a pod on the node of the server, which exists from then on', async () => {
    await create({}, { nodeSelector: { 'kubernetes.io/os': 'linux' } });
    expect((await podsOf()).map(({ spec }) => spec?.nodeName)).toEqual(['node-0']);
    expect(await status()).toMatchObject({ desiredNumberScheduled: 1, numberReady: 1, numberAvailable: 1 });
  });

  it('counts a pod as available after minReadySeconds', async () => {
    await create({ minReadySeconds: 10 });
    expect(await status()).toMatchObject({ numberReady: 1, numberUnavailable: 1 });
    await server.clock.advance(9_999);
    await server.quiet();
    expect(await status()).toMatchObject({ numberUnavailable: 1 });
    await server.clock.advance(1);
    await server.quiet();
    expect(await status()).toMatchObject({ numberAvailable: 1 });
  });

  it('replaces pods that fail again and again after longer and longer delays', async () => {
    await create({}, { schedulerName: 'by-hand' });
    const fail = async (): Promise<string> => {
      const [pod] = await podsOf();
      await server.send('PATCH', `${pods}/${pod?.metadata.name}/status`, { status: { phase: 'Failed' } });
      await server.quiet();
      return pod?.metadata.name ?? '';
    };
    const first = await fail();
    expect((await podsOf())[0]?.metadata.name).not.toBe(first);
    for (const delayMs of [1000, 2000, 4000]) {
      const failed = await fail();
      await server.clock.advance(delayMs - 1);
      await server.quiet();
      expect((await podsOf())[0]?.metadata.name).toBe(failed);
      await server.clock.advance(1);
      await server.quiet();
      expect((await podsOf())[0]?.metadata.name).not.toBe(failed);
    }
  });
});
