import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Client, createClient, httpsTransport } from '@evenkeel/client';
import {
  isNotFound,
  type Logger,
  type LogKeys,
  SeededRandom,
  SilentLogger,
  SystemClock,
  type Timer,
  type Transport,
} from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { type ApiBackend, describeOnEveryServer } from '../../../../test/api-backend.fixture.ts';
import { type Fault, FaultProxy } from '../../../../test/fault-proxy.fixture.ts';
import { Cache } from './cache.ts';
import type { CachedObject } from './cached-object.ts';
import type { Informer } from './informer.ts';
import { compareResourceVersions } from './resource-version.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Its delays pass fifty times as fast: a backoff of 0.8 s takes 16 ms, the 70 s of silence 1.4 s. */
class HurriedClock extends SystemClock {
  override schedule(afterMs: number, callback: () => void, options?: { unref?: boolean }): Timer {
    return super.schedule(afterMs / 50, callback, options);
  }
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return super.sleep(ms / 50, signal);
  }
  override monotonic(): number {
    return super.monotonic() * 50;
  }
}

/** What a handler was told, and whether it came in order. */
class Told {
  readonly state = new Map<string, CachedObject>();
  readonly mistakes: string[] = [];

  constructor(informer: Informer) {
    informer.addHandler({
      added: (object) => {
        if (this.state.has(keyOf(object))) this.mistakes.push(`${keyOf(object)} was added twice`);
        this.state.set(keyOf(object), object);
      },
      updated: (object, previous) => {
        const known = this.state.get(keyOf(object));
        if (known !== previous) this.mistakes.push(`${keyOf(object)} was updated from what nobody was told`);
        if (known?.metadata.uid !== object.metadata.uid) this.mistakes.push(`${keyOf(object)} has become another`);
        const [before = '', after = ''] = [known?.metadata.resourceVersion, object.metadata.resourceVersion];
        if (compareResourceVersions(after, before) <= 0) this.mistakes.push(`${keyOf(object)} went back to ${after}`);
        this.state.set(keyOf(object), object);
      },
      deleted: (object) => {
        if (!this.state.delete(keyOf(object))) this.mistakes.push(`${keyOf(object)} was deleted twice`);
      },
    });
  }
}

function keyOf({ metadata }: CachedObject): string {
  return `${metadata.namespace}/${metadata.name}`;
}

function status(code: number, reason: string, message: string): string {
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message });
}

const expired = status(410, 'Expired', 'too old resource version');

const page = '<html><body><h1>502 Bad Gateway</h1></body></html>\n';

const noWatchList = status(
  422,
  'Invalid',
  'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
);

describeOnEveryServer('a cache under faults', (start) => {
  const seed = Date.now() % 1_000_000;
  const random = new SeededRandom(seed);
  let backend: ApiBackend;
  let writer: Client;
  let proxy: FaultProxy;
  let transport: Transport;
  let cache: Cache;
  let informer: Informer<ConfigMap>;
  let told: Told;
  let stop: AbortController;
  const errors: string[] = [];

  beforeAll(async () => {
    backend = await start();
    writer = createClient(backend.transport(), { fieldManager: 'writer' });
    await writer.create(Namespace, { metadata: { name: 'faults' } });
  }, 120_000);
  afterAll(async () => {
    await backend?.stop();
  }, 60_000);

  beforeEach(async () => {
    errors.length = 0;
    await change(writer, 30);
    proxy = await FaultProxy.start(backend.transport());
    const clock = new HurriedClock();
    transport = httpsTransport(proxy.connection);
    const logger = new SilentLogger() as Logger;
    logger.error = (message: string, keys: LogKeys = {}) => {
      errors.push(`${message}: ${String(keys['error'])}`);
    };
    cache = new Cache({ client: createClient(transport, { clock }), clock, random, logger });
    informer = cache.informer(ConfigMap, { namespaces: ['faults'] });
    told = new Told(informer as Informer);
    stop = new AbortController();
    cache.start(stop.signal);
    await cache.waitForSync();
  });
  afterEach(async () => {
    stop.abort();
    await cache.stopped();
    await transport.close();
    await proxy.close();
  });

  /** So many writes at random, by one writer. */
  async function change(client: Client, times: number): Promise<void> {
    for (let at = 0; at < times; at++) {
      const name = `map-${random.integer(12)}`;
      if (random.integer(4) === 0) {
        await client.delete(ConfigMap, `faults/${name}`).catch((error: unknown) => {
          if (!isNotFound(error)) throw error;
        });
        continue;
      }
      // Letters of two, three and four bytes, that a cut may fall into.
      const text = 'aé€😀'.repeat(random.integer(200));
      const data = { at: String(at), text, random: String(random.integer(1_000_000)) };
      await client.apply(ConfigMap, { metadata: { name, namespace: 'faults' }, data }, { force: true });
    }
  }

  /** The cache has seen all that there is, it is what the server has, and its handlers were told of it in order. */
  async function expectEqual(client: Client = writer): Promise<void> {
    const mark = await client.apply(
      ConfigMap,
      { metadata: { name: 'mark', namespace: 'faults' }, data: { now: String(random.integer(1_000_000_000)) } },
      { force: true },
    );
    const { uid, resourceVersion } = mark.metadata;
    await waitFor(() => {
      const seen = informer.lister.get('faults/mark')?.metadata;
      return seen?.uid === uid && seen?.resourceVersion === resourceVersion && informer.health.problem === undefined;
    });
    const { items } = await client.list(ConfigMap, { namespace: 'faults' });
    for (const { metadata } of items) delete metadata.managedFields;
    const sorted = (objects: Iterable<CachedObject>): CachedObject[] =>
      [...objects].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
    expect({ seed, objects: sorted(informer.lister.list()) }).toEqual({ seed, objects: sorted(items) });
    expect({ seed, objects: sorted(told.state.values()) }).toEqual({ seed, objects: sorted(items) });
    expect({ seed, mistakes: told.mistakes }).toEqual({ seed, mistakes: [] });
    expect(informer.health.synced).toBe(true);
  }

  /** Gives these faults to the next watches, one each, whatever else is asked. */
  function faultTheNextWatches(...faults: Fault[]): void {
    proxy.faultFor = ({ isWatch }) => (isWatch ? faults.shift() : undefined);
  }

  it('takes up what changed while the server was away', async () => {
    proxy.isAway = true;
    proxy.destroySockets();
    await change(writer, 40);
    expect(informer.lister.list().length).toBeGreaterThan(0);
    expect(informer.health.synced).toBe(true);
    proxy.isAway = false;
    await expectEqual();
    expect(errors).toEqual([]);
  }, 40_000);

  it.each<[string, Fault]>([
    ['410 as the answer', { answer: { status: 410, body: expired } }],
    ['410 as the first event', { answer: { status: 200, body: `{"type":"ERROR","object":${expired}}\n` } }],
    ['410 after some events', { insert: `{"type":"ERROR","object":${expired}}`, afterLines: 2 }],
    ['429 that says when to come again', tooMany('1')],
    ['429 that does not', tooMany(undefined)],
    ['500', { answer: { status: 500, body: status(500, 'InternalError', 'etcd has gone') } }],
    ['503 that is no Status', { answer: { status: 503, body: 'upstream connect error' } }],
    ['504', { answer: { status: 504, body: status(504, 'Timeout', 'request did not complete within 60s') } }],
    ['an answer that is HTML', { answer: { status: 200, body: page, headers: { 'content-type': 'text/html' } } }],
    ['an error that is HTML', { answer: { status: 502, body: page, headers: { 'content-type': 'text/html' } } }],
    ['an empty answer', { answer: { status: 200, body: '' } }],
    ['JSON that is no event', { answer: { status: 200, body: '[]\nnull\n{"type":7}\n{"kind":"Status"}\n' } }],
  ])(
    'comes through %s',
    async (_what, fault) => {
      faultTheNextWatches(fault, fault, fault);
      proxy.destroySockets();
      await change(writer, 20);
      await expectEqual();
    },
    40_000,
  );

  it('comes through a list that is refused, where WatchList is refused too', async () => {
    let refusals = 4;
    proxy.faultFor = ({ isWatch, path }) => {
      if (isWatch && path.includes('sendInitialEvents')) return { answer: { status: 422, body: noWatchList } };
      if (isWatch && refusals-- > 0) return { answer: { status: 410, body: expired } };
      return !isWatch && refusals-- > 0 ? tooMany(undefined) : undefined;
    };
    proxy.destroySockets();
    await change(writer, 20);
    await expectEqual();
    expect(proxy.requests.some((request) => request.includes('limit=500'))).toBe(true);
  }, 40_000);

  it('loses nothing where a watch is cut anywhere: between lines, within one, within a character', async () => {
    const cuts = Array.from({ length: 40 }, (): Fault => ({ cutAfterBytes: 1 + random.integer(4000) }));
    faultTheNextWatches(...cuts);
    proxy.destroySockets();
    const writing = change(writer, 120);
    await writing;
    await expectEqual();
    expect(errors).toEqual([]);
  }, 60_000);

  it('notices that a socket is open and nobody is there', async () => {
    proxy.isSilent = true;
    await change(writer, 20);
    const before = proxy.requests.length;
    const told = new Promise<void>((resolve) => {
      const stopWaiting = informer.onHealth(({ problem }) => {
        if (problem === undefined) return;
        stopWaiting();
        resolve();
      });
    });
    await told;
    expect(informer.health.problem?.reason).toBe('unreachable');
    proxy.isSilent = false;
    await expectEqual();
    expect(proxy.requests.length).toBeGreaterThan(before);
  }, 40_000);

  it('starts from the beginning on a server that was set back to older data', async () => {
    const older = await start();
    try {
      const olderWriter = createClient(older.transport(), { fieldManager: 'writer' });
      await olderWriter.create(Namespace, { metadata: { name: 'faults' } });
      await change(olderWriter, 5);
      // What was written since the backup is gone, and versions are used again.
      proxy.target = older.transport();
      proxy.destroySockets();
      await expectEqual(olderWriter);
    } finally {
      stop.abort();
      await cache.stopped();
      await older.stop();
    }
  }, 120_000);

  it('grows in neither sockets nor heap while its connections flap a hundred times', async () => {
    const flaps = 100;
    const flap = async (times: number): Promise<void> => {
      for (let at = 0; at < times; at++) {
        proxy.destroySockets();
        await change(writer, 1);
        const watches = proxy.requests.filter((request) => request.includes('watch=true')).length;
        await waitFor(() => proxy.requests.filter((request) => request.includes('watch=true')).length > watches);
      }
    };
    await flap(10);
    await expectEqual();
    collect();
    const heapBefore = process.memoryUsage().heapUsed;
    proxy.requests.length = 0;
    await flap(flaps);
    await expectEqual();
    expect(proxy.openSockets).toBeLessThanOrEqual(2);
    proxy.requests.length = 0;
    collect();
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(1_000_000);
  }, 90_000);

  it('goes on where a handler throws, and tells the others', async () => {
    const second = new Told(informer as Informer);
    informer.addHandler({
      updated: () => {
        throw new Error('no handler');
      },
      deleted: () => {
        throw new Error('no handler');
      },
    });
    await change(writer, 30);
    await expectEqual();
    expect(second.mistakes).toEqual([]);
    expect([...second.state.keys()].sort()).toEqual([...told.state.keys()].sort());
    expect(errors.length).toBeGreaterThan(0);
    expect(new Set(errors)).toEqual(new Set(['an informer handler threw: Error: no handler']));
  }, 40_000);
});

function tooMany(retryAfter: string | undefined): Fault {
  const body = status(429, 'TooManyRequests', 'the server is currently unable to handle the request');
  return {
    answer: { status: 429, body, ...(retryAfter === undefined ? {} : { headers: { 'retry-after': retryAfter } }) },
  };
}

/** Looks again with each turn of the event loop. */
async function waitFor(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
