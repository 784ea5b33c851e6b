import {
  type ApiRequest,
  type Client,
  createClient,
  httpsTransport,
  type Interceptor,
  loadConnection,
} from '@evenkeel/client';
import {
  isNotFound,
  type LogKeys,
  Metadata,
  SeededRandom,
  SilentLogger,
  type StatusError,
  type Transport,
} from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { Cache } from './cache.ts';
import type { CachedObject } from './cached-object.ts';
import type { Informer } from './informer.ts';

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

/** What handlers were told, held against their contract while it comes: the state it amounts to, by key. */
class Told {
  readonly state = new Map<string, CachedObject>();
  readonly log: string[] = [];

  constructor(informer: Informer) {
    const keyOf = ({ metadata }: CachedObject): string => `${metadata.namespace}/${metadata.name}`;
    informer.addHandler({
      added: (object, isInInitialList) => {
        expect(this.state.has(keyOf(object))).toBe(false);
        this.state.set(keyOf(object), object);
        this.log.push(`${isInInitialList ? 'there' : 'added'} ${object.metadata.name}`);
      },
      updated: (object, previous) => {
        expect(this.state.get(keyOf(object))).toBe(previous);
        expect(Number(object.metadata.resourceVersion)).toBeGreaterThan(Number(previous.metadata.resourceVersion));
        this.state.set(keyOf(object), object);
        this.log.push(`updated ${object.metadata.name}`);
      },
      deleted: (object, isFinalStateUnknown) => {
        expect(this.state.delete(keyOf(object))).toBe(true);
        this.log.push(`${isFinalStateUnknown ? 'gone' : 'deleted'} ${object.metadata.name}`);
      },
    });
  }
}

/** What a handler throws, an expectation too, would only be logged. */
class ErrorLog extends SilentLogger {
  readonly errors: string[] = [];

  override error(message = '', keys: LogKeys = {}): void {
    this.errors.push(`${message}: ${String(keys['error'])}`);
  }
}

describeWithRealServer('an informer on a real server', () => {
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

  function map(name: string, data: Record<string, string> = {}, labels: Record<string, string> = {}) {
    return { metadata: { name, namespace: 'cached', labels }, data };
  }

  /** Waits for a write that was made after everything else. */
  async function catchUp(): Promise<void> {
    const mark = await client.patch(ConfigMap, 'cached/mark', { merge: { data: { caughtUp: String(++marks) } } });
    await informer.waitForWrite('cached/mark', mark.metadata.resourceVersion ?? '');
  }

  async function expectEqualToServer(): Promise<void> {
    const { items } = await client.list(ConfigMap);
    for (const { metadata } of items) delete metadata.managedFields;
    const byKey = (objects: Iterable<CachedObject>): CachedObject[] =>
      [...objects].sort((a, b) => (keyText(a) < keyText(b) ? -1 : 1));
    expect(byKey(informer.lister.list())).toEqual(byKey(items));
    expect(byKey(told.state.values())).toEqual(byKey(items));
    expect(logger.errors).toEqual([]);
  }

  beforeAll(async () => {
    server = await startRealServer();
    transport = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig, environment: {} }));
    client = createClient(transport, { fieldManager: 'tester' });
    await client.create(Namespace, { metadata: { name: 'cached' } });
    await Promise.all(['mark', 'a', 'b'].map((name) => client.create(ConfigMap, map(name, { a: '1' }))));
    cache = newCache();
    informer = cache.informer(ConfigMap);
    told = new Told(informer);
    cache.start(stop.signal);
    await cache.waitForSync();
  }, 120_000);
  afterAll(async () => {
    stop.abort();
    await cache?.stopped();
    await transport?.close();
    await server?.stop();
  }, 60_000);

  it('has all there is when it has synced, by one watch and no list', async () => {
    expect(requests.map(({ verb, query }) => [verb, query?.['sendInitialEvents']])).toEqual([['watch', true]]);
    expect(told.log.filter((line) => /^there (a|b|mark)$/.test(line)).sort()).toEqual([
      'there a',
      'there b',
      'there mark',
    ]);
    await expectEqualToServer();
  });

  it('tells each change of an object in order, and loses none in a crowd of writers', async () => {
    const random = new SeededRandom(1);
    const writer = async (): Promise<void> => {
      for (let step = 0; step < 40; step++) {
        const name = `crowd-${random.integer(12)}`;
        const choice = random.integer(3);
        if (choice === 2) await client.delete(ConfigMap, `cached/${name}`).catch(ignoring(isNotFound));
        else await client.apply(ConfigMap, map(name, { step: String(step), big: 'x'.repeat(random.integer(20_000)) }));
      }
    };
    await Promise.all(Array.from({ length: 8 }, writer));
    await catchUp();
    await expectEqualToServer();
  }, 30_000);

  it.each([
    ['with a watch of its own', true],
    ['as a view of the informer of all', false],
  ])('tells an object that leaves its selector as deleted, %s', async (_how, apart) => {
    const ending = new AbortController();
    const cacheOfIt = apart ? newCache() : cache;
    if (apart) cacheOfIt.start(ending.signal);
    const watchesBefore = requests.length;
    const selected = cacheOfIt.informer(Metadata(ConfigMap), { labels: { tier: 'web' }, namespaces: ['cached'] });
    const seen = new Told(selected);
    await selected.waitForSync();
    expect(requests.length - watchesBefore).toBe(apart ? 1 : 0);
    const key = `cached/tiered-${apart}`;
    const created = await client.create(ConfigMap, map(`tiered-${apart}`, { a: '1' }, { tier: 'web' }));
    await selected.waitForWrite(key, created.metadata.resourceVersion ?? '');
    expect(selected.lister.get(key)?.metadata.uid).toBe(created.metadata.uid);
    expect(Object.keys(selected.lister.get(key) ?? {}).includes('data')).toBe(!apart);
    const left = await client.patch(ConfigMap, key, { merge: { metadata: { labels: { tier: 'db' } } } });
    await selected.waitForDelete(key, created.metadata.uid ?? '');
    expect(selected.lister.get(key)).toBeUndefined();
    expect(seen.log).toEqual([`added tiered-${apart}`, `deleted tiered-${apart}`]);
    // The informer of all ConfigMaps may have a watch of its own, which may come later.
    await informer.waitForWrite(key, left.metadata.resourceVersion ?? '');
    expect(informer.lister.get(key)?.metadata.labels).toEqual({ tier: 'db' });
    ending.abort();
    await (apart ? cacheOfIt.stopped() : undefined);
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
    await client.delete(ConfigMap, 'cached/tiered-true');
    await client.create(ConfigMap, map('tiered-true', { made: 'again' }));
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
    ).toEqual(['added new', 'added tiered-true', 'gone a', 'gone tiered-true', 'updated b'].sort());
    expect(informer.health).toMatchObject({ synced: true, problem: undefined });
    await expectEqualToServer();
  }, 60_000);

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
  }, 60_000);
});

function keyText({ metadata }: CachedObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function ignoring(isExpected: (error: unknown) => boolean): (error: unknown) => void {
  return (error) => {
    if (!isExpected(error)) throw error as StatusError;
  };
}
