import {
  type ApiRequest,
  type Client,
  createClient,
  httpsTransport,
  type Interceptor,
  loadConnection,
} from '@evenkeel/client';
import { type LogKeys, SeededRandom, SilentLogger, type Transport } from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import { sorted, Told } from './told.fixture.ts';

/** Holds back requests for watches while it is closed. */
class Gate {
  #opened = Promise.resolve();
  #open: () => void = () => undefined;

  close(): void {
    this.#opened = new Promise((resolve) => {
      this.#open = resolve;
    });
  }

  open(): void {
    this.#open();
  }

  readonly interceptor: Interceptor = async (request, next) => {
    await this.#opened;
    return await next(request);
  };
}

/** What a handler throws, an expectation too, would only be logged. */
class ErrorLog extends SilentLogger {
  readonly errors: string[] = [];

  override error(message = '', keys: LogKeys = {}): void {
    this.errors.push(`${message}: ${String(keys['error'])}`);
  }
}

describeWithRealServer('an informer on a real server that is killed and started again', () => {
  let server: RealServer;
  let transport: Transport;
  let client: Client;
  const gate = new Gate();
  const stop = new AbortController();
  const logger = new ErrorLog();
  const requests: ApiRequest[] = [];
  let marks = 0;
  let cache: Cache;
  let informer: Informer<ConfigMap>;
  let told: Told;

  function newCache(): Cache {
    const watching = createClient(transport, {
      interceptors: [gate.interceptor],
      observers: [({ request }) => requests.push(request)],
    });
    return new Cache({ client: watching, random: new SeededRandom(1), logger });
  }

  function map(name: string, data: Record<string, string> = {}) {
    return { metadata: { name, namespace: 'cached' }, data };
  }

  /** Waits for a write that was made after everything else. */
  async function catchUp(): Promise<void> {
    const mark = await client.patch(ConfigMap, 'cached/mark', { merge: { data: { caughtUp: String(++marks) } } });
    await informer.waitForWrite('cached/mark', mark.metadata.resourceVersion ?? '');
  }

  async function expectEqualToServer(): Promise<void> {
    const { items } = await client.list(ConfigMap);
    for (const { metadata } of items) delete metadata.managedFields;
    expect(sorted(informer.lister.list())).toEqual(sorted(items));
    expect(sorted(told.state.values())).toEqual(sorted(items));
    expect([...logger.errors, ...told.mistakes]).toEqual([]);
  }

  beforeAll(async () => {
    server = await startRealServer();
    transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig, environment: {} }));
    client = createClient(transport, { fieldManager: 'tester' });
    await client.create(Namespace, { metadata: { name: 'cached' } });
    await Promise.all(['mark', 'a', 'b', 'again'].map((name) => client.create(ConfigMap, map(name, { a: '1' }))));
    cache = newCache();
    informer = cache.informer(ConfigMap);
    told = new Told(informer as Informer);
    cache.start(stop.signal);
    await cache.waitForSync();
  });
  afterAll(async () => {
    stop.abort();
    await cache?.stopped();
    await transport?.close();
    await server?.stop();
  });

  it('keeps what it has while the server is away, then takes up what was changed meanwhile', async () => {
    await catchUp();
    const before = told.log.length;
    const known = informer.lister.list();
    const wentAway = new Promise<void>((resolve) => {
      const end = informer.onHealth(({ problem }) => {
        if (problem?.reason !== 'unreachable') return;
        end();
        resolve();
      });
    });
    // The server's version moves on without an event of this kind, so that the restarted one begins beyond the version of the cache.
    await client.create(Namespace, { metadata: { name: 'unseen' } });
    await server.restart(async () => {
      gate.close();
      await wentAway;
      requests.length = 0;
      expect(informer.health.synced).toBe(true);
      expect(informer.lister.list()).toEqual(known);
    });
    await client.delete(ConfigMap, 'cached/a');
    await client.patch(ConfigMap, 'cached/b', { merge: { data: { a: '2' } } });
    await client.delete(ConfigMap, 'cached/again');
    await client.create(ConfigMap, map('again', { made: 'again' }));
    await client.create(ConfigMap, map('new'));
    expect(told.log).toHaveLength(before);
    gate.open();
    await catchUp();
    // The restarted server has no events from before its start (410): everything was asked for again, nothing blanked.
    const own = requests.filter(({ namespace }) => namespace === undefined).map(({ query }) => query);
    expect(own.map((query) => query?.['sendInitialEvents'])).toEqual([undefined, true]);
    expect(own[1]?.['resourceVersion']).toBe(own[0]?.['resourceVersion']);
    expect(
      told.log
        .slice(before)
        .filter((line) => !line.endsWith(' mark'))
        .sort(),
    ).toEqual(['added new', 'added again', 'gone a', 'gone again', 'updated b'].sort());
    expect(informer.health).toMatchObject({ synced: true, problem: undefined });
    await expectEqualToServer();
  });

  it('lists in pages and watches from there where the server knows no WatchList', async () => {
    await server.restart(async () => undefined, '--feature-gates=WatchList=false');
    await catchUp();
    await expectEqualToServer();
    const stopSecond = new AbortController();
    const second = newCache();
    const fresh = second.informer(ConfigMap, { namespaces: ['cached'] });
    const seen = new Told(fresh);
    requests.length = 0;
    second.start(stopSecond.signal);
    await second.waitForSync();
    const created = await client.create(ConfigMap, map('after-list'));
    await fresh.waitForWrite('cached/after-list', created.metadata.resourceVersion ?? '');
    const own = requests.filter(({ namespace }) => namespace === 'cached');
    expect(
      own.map(({ verb, query }) => `${verb} ${query?.['limit'] ?? query?.['sendInitialEvents'] ?? 'from a version'}`),
    ).toEqual(['watch true', 'list 500', 'watch from a version']);
    expect(seen.log.at(-1)).toBe('added after-list');
    stopSecond.abort();
    await second.stopped();
    await catchUp();
    await expectEqualToServer();
  });
});
