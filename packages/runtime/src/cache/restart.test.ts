import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { ConfigMap } from '@evenkeel/kinds';
import { HurriedClock } from '@evenkeel/testing';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import { sorted, Told } from './told.fixture.ts';

describe('an embedded server that is killed and started again on its port', () => {
  it('is used by a running cache, although its objects, tokens and authority are different', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'evenkeel-restart-'));
    const path = (name: string): string => join(folder, name);
    const start = async (token: string, port = 0) => {
      const tokens = { [token]: { name: 'operator', groups: ['system:masters'] } };
      // Every ConfigMap there is comes from this test.
      const server = await ApiServer.create({ controllers: false, tokens });
      const listening = await server.listen({ port });
      await writeFile(path('ca.pem'), listening.caPem);
      await writeFile(path('token'), token);
      return { server, ...listening, client: createClient(server.transport(), { fieldManager: 'writer' }) };
    };
    const write = (client: ReturnType<typeof createClient>, name: string, text: string) =>
      client.create(ConfigMap, { metadata: { name, namespace: 'default' }, data: { text } });

    const first = await start('first');
    for (const name of ['a', 'b', 'c']) await write(first.client, name, 'before');
    await writeFile(
      path('config'),
      JSON.stringify({
        'current-context': 'x',
        clusters: [{ name: 'c', cluster: { server: first.url, 'certificate-authority': 'ca.pem' } }],
        users: [{ name: 'u', user: { tokenFile: 'token' } }],
        contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      }),
    );
    const clock = new HurriedClock();
    const transport = httpsTransport(await loadConnection({ kubeconfig: path('config'), environment: {}, clock }));
    const cache = new Cache({ client: createClient(transport, { clock }), clock });
    const informer = cache.informer(ConfigMap, { namespaces: ['default'] });
    const told = new Told(informer as Informer);
    const stop = new AbortController();
    cache.start(stop.signal);
    await cache.waitForSync();
    const isAway = new Promise<void>((resolve) => {
      informer.onHealth(({ problem }) => (problem?.reason === 'unreachable' ? resolve() : undefined));
    });
    await first.server.close();
    await isAway;
    expect(informer.lister.list()).toHaveLength(3);

    const second = await start('second', first.port);
    await write(second.client, 'b', 'after');
    const last = await write(second.client, 'd', 'after');
    while (informer.lister.get('default/d')?.metadata.uid !== last.metadata.uid) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    const { items } = await second.client.list(ConfigMap, { namespace: 'default' });
    for (const { metadata } of items) delete metadata.managedFields;
    expect(sorted(informer.lister.list())).toEqual(sorted(items));
    expect(sorted(told.state.values())).toEqual(sorted(items));
    expect(told.mistakes).toEqual([]);
    expect(told.log.filter((line) => line.endsWith(' b'))).toEqual(['there b', 'gone b', 'added b']);
    stop.abort();
    await cache.stopped();
    await transport.close();
    await second.server.close();
    await rm(folder, { recursive: true });
  });
});
