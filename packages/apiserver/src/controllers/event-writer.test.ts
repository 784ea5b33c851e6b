import { ControlledServer } from './controlled-server.fixture.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('the Events of a controller', () => {
  let server: ControlledServer;
  beforeAll(async () => {
    server = await ControlledServer.start({ controllers: { kubelet: false } });
  });
  afterAll(() => server.close());

  it('are one object with a count if one is repeated', async () => {
    await server.send('POST', pods, {
      metadata: { name: 'lost' },
      spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'a', image: 'a:1' }] },
    });
    await server.quiet();
    // The pod does not fit, for another reason and then for the first one again.
    for (const unschedulable of [true, false]) {
      await server.clock.advance(60_000);
      await server.send('PATCH', '/api/v1/nodes/node-0', { spec: { unschedulable } });
      await server.quiet();
    }
    const { items } = await server.send('GET', '/api/v1/namespaces/default/events');
    const events = items as { reason: string; count: number; firstTimestamp: string; lastTimestamp: string }[];
    const failed = events.filter(({ reason }) => reason === 'FailedScheduling');
    expect(failed.map(({ count }) => count).sort()).toEqual([1, 2]);
    const repeated = failed.find(({ count }) => count === 2);
    expect(Date.parse(repeated?.lastTimestamp ?? '') - Date.parse(repeated?.firstTimestamp ?? '')).toBe(120_000);
  });
});
