import type { CoreEvent, ReplicaSet, ResourceQuota } from '@evenkeel/kinds';
import { ControlledServer } from './controlled-server.fixture.ts';

const namespace = '/api/v1/namespaces/default';
const sets = '/apis/apps/v1/namespaces/default/replicasets';

describe('the controller of ResourceQuotas', () => {
  let server: ControlledServer;
  beforeEach(async () => {
    server = await ControlledServer.start();
  });
  afterEach(() => server.close());

  const used = async (): Promise<unknown> => {
    const { status }: ResourceQuota = await server.send('GET', `${namespace}/resourcequotas/limited`);
    return status?.used;
  };
  const limit = async (hard: object): Promise<void> => {
    await server.send('POST', `${namespace}/resourcequotas`, { metadata: { name: 'limited' }, spec: { hard } });
    await server.quiet();
  };

  it('counts what exists, and what is deleted afterwards', async () => {
    for (const name of ['a', 'b']) await server.send('POST', `${namespace}/secrets`, { metadata: { name } });
    await limit({ secrets: '2' });
    expect(await used()).toEqual({ secrets: '2' });
    await server.send('DELETE', `${namespace}/secrets/a`);
    await server.quiet();
    expect(await used()).toEqual({ secrets: '1' });
  });

  it('corrects a wrong usage within five minutes', async () => {
    await limit({ secrets: '2' });
    await server.send('PATCH', `${namespace}/resourcequotas/limited/status`, { status: { used: { secrets: '2' } } });
    await server.quiet();
    expect(await used()).toEqual({ secrets: '2' });
    await server.clock.advance(5 * 60_000);
    await server.quiet();
    expect(await used()).toEqual({ secrets: '0' });
  });

  it('lets a ReplicaSet fail until there is room, with one Event', async () => {
    await limit({ pods: '1' });
    const labels = { app: 'web' };
    await server.send('POST', sets, {
      metadata: { name: 'web' },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'a', image: 'a' }] } },
      },
    });
    await server.quiet();
    const text = 'is forbidden: exceeded quota: limited, requested: pods=1, used: pods=1, limited: pods=1';
    const failed: ReplicaSet = await server.send('GET', `${sets}/web`);
    expect(failed.status?.conditions).toMatchObject([
      { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: expect.stringContaining(text) },
    ]);
    for (let second = 0; second < 3; second++) {
      await server.clock.advance(1000);
      await server.quiet();
    }
    const events: CoreEvent[] = (await server.send('GET', `${namespace}/events`)).items;
    const refusals = events.filter(({ reason }) => reason === 'FailedCreate');
    expect(refusals.map(({ type, message }) => `${type}: ${message}`)).toEqual([
      expect.stringMatching(/^Warning: Error creating: pods "web-\w{5}" is forbidden: exceeded quota: limited, /),
    ]);

    await server.send('PATCH', `${namespace}/resourcequotas/limited`, { spec: { hard: { pods: '2' } } });
    await server.quiet();
    await server.clock.advance(1000);
    await server.quiet();
    const complete: ReplicaSet = await server.send('GET', `${sets}/web`);
    expect(complete.status).toMatchObject({ replicas: 2 });
    expect(complete.status?.conditions).toBeUndefined();
  });
});
