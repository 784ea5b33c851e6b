import { type Client, createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { ManualClock, SeededRandom, SilentLogger, type Transport } from '@evenkeel/core';
import { ConfigMap, Event, Namespace } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { ApiEventRecorder } from './api-event-recorder.ts';

describeWithRealServer('ApiEventRecorder on a real server', () => {
  let server: RealServer;
  let transport: Transport;
  let client: Client;
  beforeAll(async () => {
    server = await startRealServer();
    transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig }));
    client = createClient(transport, { fieldManager: 'test' });
  });
  afterAll(async () => {
    await transport?.close();
    await server?.stop();
  });

  function recorder(clock = new ManualClock(new Date('2026-01-01T00:00:00Z'))) {
    const warnings: unknown[] = [];
    const logger = new (class extends SilentLogger {
      override warn(...line: unknown[]): void {
        warnings.push(line);
      }
    })();
    const events = new ApiEventRecorder({
      client,
      reportingController: 'evenkeel.dev/nginx',
      reportingInstance: 'nginx-host',
      clock,
      random: new SeededRandom(1),
      logger,
    });
    return { events, clock, warnings };
  }

  it('increments the series of a repeated Event, and starts a new one after six minutes', async () => {
    const page = await client.create(ConfigMap, { metadata: { name: 'page', namespace: 'default' } });
    const { events, clock, warnings } = recorder();
    for (let time = 0; time < 4; time++) {
      events.warning(page, 'PageNotFound', 'It is not there');
      await clock.advance(1000);
    }
    await clock.advance(6 * 60_000);
    events.warning(page, 'PageNotFound', 'It is not there');
    await events.stop(new AbortController().signal);
    expect(warnings).toEqual([]);
    const { items } = await client.list(Event, { namespace: 'default', fields: { reason: 'PageNotFound' } });
    items.sort((a, b) => String(a.eventTime).localeCompare(String(b.eventTime)));
    expect(items.map(({ eventTime, series, regarding, type }) => [eventTime, series, regarding?.uid, type])).toEqual([
      [
        '2026-01-01T00:00:00.000000Z',
        { count: 4, lastObservedTime: '2026-01-01T00:00:03.000000Z' },
        page.metadata.uid,
        'Warning',
      ],
      ['2026-01-01T00:06:04.000000Z', undefined, page.metadata.uid, 'Warning'],
    ]);
  });

  it('creates an Event again if it was deleted before it is repeated', async () => {
    const page = await client.create(ConfigMap, { metadata: { name: 'lost', namespace: 'default' } });
    const { events, clock, warnings } = recorder();
    const made = async () => (await client.list(Event, { namespace: 'default', fields: { reason: 'PageLost' } })).items;
    events.warning(page, 'PageLost', 'It is not there');
    let [first] = await made();
    while (first === undefined) [first] = await made();
    await client.delete(Event, `default/${first.metadata.name}`);
    await clock.advance(1000);
    events.warning(page, 'PageLost', 'It is not there');
    await events.stop(new AbortController().signal);
    expect(warnings).toEqual([]);
    expect((await made()).map(({ eventTime, series, metadata }) => [eventTime, series, metadata.name])).toEqual([
      [
        '2026-01-01T00:00:00.000000Z',
        { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' },
        first.metadata.name,
      ],
    ]);
  });

  it('creates Events about a cluster-scoped object in the namespace default', async () => {
    const namespace = await client.get(Namespace, 'kube-system');
    const { events, warnings } = recorder();
    events.normal(namespace, 'Checked', 'Looked at it');
    await events.stop(new AbortController().signal);
    expect(warnings).toEqual([]);
    const { items } = await client.list(Event, { namespace: 'default', fields: { reason: 'Checked' } });
    expect(items.map(({ regarding }) => regarding?.name)).toEqual(['kube-system']);
  });
});
