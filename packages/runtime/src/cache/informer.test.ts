import { createClient } from '@evenkeel/client';
import { CustomResource, EvenkeelError, KubernetesObject, ManualClock, Metadata, SeededRandom } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { Cache } from './cache.ts';
import { compareResourceVersions } from './resource-version.ts';
import { type Exchange, ScriptedServer } from './scripted-server.fixture.ts';

function start(): { server: ScriptedServer; clock: ManualClock; cache: Cache; signal: AbortController } {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const cache = new Cache({ client: createClient(server, { clock }), clock, random: new SeededRandom(1) });
  return { server, clock, cache, signal: new AbortController() };
}

function map(name: string, resourceVersion: string, other: object = {}): object {
  const metadata = { name, namespace: 'default', uid: name, resourceVersion, ...other };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { nested: 'text' } };
}

/** Answers the first watch with these objects. */
async function answer(server: ScriptedServer, ...objects: object[]): Promise<Exchange> {
  const watch = await server.next();
  watch.open();
  for (const object of objects) watch.event('ADDED', object);
  watch.endOfInitialEvents('100');
  return watch;
}

describe('Cache', () => {
  it('shares one informer for a kind and scope in any notation', () => {
    const { cache } = start();
    const one = cache.informer(ConfigMap, { labels: { app: 'web' }, namespaces: ['b', 'a', 'b'] });
    expect(cache.informer(() => ConfigMap, { labels: 'app=web', namespaces: ['a', 'b'] })).toBe(one);
    expect(cache.informer(ConfigMap)).not.toBe(one);
    expect(cache.informer(Metadata(ConfigMap))).not.toBe(cache.informer(ConfigMap));
    expect(cache.informers).toHaveLength(3);
  });

  it('rejects a second class for a kind, with both names', () => {
    class OtherDeployment extends Deployment {}
    const { cache } = start();
    cache.informer(Deployment);
    expect(() => cache.informer(OtherDeployment)).toThrow(
      expect.objectContaining({ code: 'duplicate-declaration', message: expect.stringContaining('OtherDeployment') }),
    );
  });

  it('starts a later requested informer at once', async () => {
    const { cache, server, signal } = start();
    cache.start(signal.signal);
    const lister = cache.lister(ConfigMap);
    await answer(server, map('a', '5'));
    await cache.waitForSync();
    expect(lister.get('default/a')?.data).toEqual({ nested: 'text' });
    signal.abort();
    await cache.stopped();
  });

  it('requests only metadata, and sets the kind of the objects', async () => {
    const { cache, server, signal } = start();
    const lister = cache.lister(Metadata(ConfigMap));
    cache.start(signal.signal);
    const partial = {
      kind: 'PartialObjectMetadata',
      apiVersion: 'meta.k8s.io/v1',
      metadata: { name: 'a', resourceVersion: '5' },
    };
    const watch = await answer(server, partial);
    await cache.waitForSync();
    expect(watch.request.headers?.['accept']).toContain('as=PartialObjectMetadata;');
    expect(lister.list()).toEqual([
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '5' } },
    ]);
  });

  it('passes selectors to the server', async () => {
    const { cache, server, signal } = start();
    cache.informer(ConfigMap, { labels: { app: 'web' }, fields: { 'metadata.name': 'a' } });
    cache.start(signal.signal);
    const { query } = await server.next();
    expect([query.get('labelSelector'), query.get('fieldSelector')]).toEqual(['app=web', 'metadata.name=a']);
  });
});

describe('a sync', () => {
  /** Time passes with each look at it, as it does for whoever is at work. */
  class TickingClock extends ManualClock {
    #ticks = 0;
    override monotonic(): number {
      this.#ticks += 2;
      return this.#ticks;
    }
  }

  it('yields to the event loop every 10 ms, while it receives and while it reports', async () => {
    const server = new ScriptedServer();
    const clock = new TickingClock();
    const cache = new Cache({ client: createClient(server, { clock }), clock, random: new SeededRandom(1) });
    const informer = cache.informer(ConfigMap);
    let turns = 0;
    let turnsAtFirst: number | undefined;
    informer.addHandler({
      added: () => {
        turnsAtFirst ??= turns;
      },
    });
    const stop = new AbortController();
    cache.start(stop.signal);
    const watch = await server.next();
    watch.open();
    watch.bytes(
      Array.from(
        { length: 1000 },
        (_, at) => `${JSON.stringify({ type: 'ADDED', object: map(`m${at}`, '5') })}\n`,
      ).join(''),
    );
    watch.endOfInitialEvents('100');
    const count = (): void => {
      turns++;
      if (!stop.signal.aborted) setImmediate(count);
    };
    setImmediate(count);
    await cache.waitForSync();
    // Pieces that seem to take 2 ms are not counted without a look at the clock: 2000 ms for each of the two.
    expect(turnsAtFirst).toBeGreaterThanOrEqual(180);
    expect(turns - (turnsAtFirst ?? 0)).toBeGreaterThanOrEqual(180);
    stop.abort();
    await cache.stopped();
  });
});

describe('Lister', () => {
  it('returns the same deeply frozen object each time, with the prototype of its class', async () => {
    @CustomResource({ group: 'web.example.com', version: 'v1' })
    class Website extends KubernetesObject {
      spec!: { paths: string[] };
    }
    const { cache, server, signal } = start();
    const lister = cache.lister(Website);
    cache.start(signal.signal);
    await answer(server, { metadata: { name: 'a', resourceVersion: '5' }, spec: { paths: ['/'] } });
    await cache.waitForSync();
    const website = lister.get('a');
    expect(website).toBeInstanceOf(Website);
    expect(lister.list()[0]).toBe(website);
    expect(() => website?.spec.paths.push('x')).toThrow(TypeError);
    expect(() => Object.assign(website?.metadata ?? {}, { name: 'b' })).toThrow(TypeError);
  });

  it('selects by namespace and labels', async () => {
    const { cache, server, signal } = start();
    const lister = cache.lister(ConfigMap);
    cache.start(signal.signal);
    const watch = await answer(
      server,
      map('a', '5', { labels: { app: 'web' } }),
      map('b', '6', { labels: { app: 'web' }, namespace: 'other' }),
      map('c', '7'),
    );
    await cache.waitForSync();
    const names = (found: readonly ConfigMap[]): string[] => found.map(({ metadata }) => metadata.name);
    expect(names(lister.list({ labels: { app: 'web' } }))).toEqual(['a', 'b']);
    expect(names(lister.list({ namespace: 'default' }))).toEqual(['a', 'c']);
    expect(names(lister.list({ namespace: 'other', labels: 'app' }))).toEqual(['b']);
    watch.event('DELETED', map('a', '108'));
    watch.bookmark('109');
    await cache.informer(ConfigMap).waitForWrite('default/a', '109');
    expect(names(lister.list({ namespace: 'default' }))).toEqual(['c']);
  });

  it('finds objects by the values of the index function, also after changes, and rejects an unknown index', async () => {
    const { cache, server, signal, clock } = start();
    const informer = cache.informer(ConfigMap);
    informer.addIndex('labels', ({ metadata }) => Object.keys(metadata.labels ?? {}));
    cache.start(signal.signal);
    const watch = await answer(
      server,
      map('a', '5', { labels: { x: '', y: '' } }),
      map('b', '6', { labels: { y: '' } }),
    );
    await cache.waitForSync();
    const found = (value: string): string[] =>
      informer.lister.byIndex('labels', value).map(({ metadata }) => metadata.name);
    expect([found('x'), found('y'), found('z')]).toEqual([['a'], ['a', 'b'], []]);
    watch.event('MODIFIED', map('a', '107', { labels: { z: '' } }));
    watch.event('DELETED', map('b', '108'));
    await clock.advance(0);
    expect([found('x'), found('y'), found('z')]).toEqual([[], [], ['a']]);
    expect(() => informer.lister.byIndex('label', 'x')).toThrow(/did you mean "labels"/);
    expect(() => informer.lister.byIndex('label', 'x')).toThrow(EvenkeelError);
  });
});

describe('Informer', () => {
  it('survives errors of handlers and index functions', async () => {
    const { cache, server, signal } = start();
    const informer = cache.informer(ConfigMap);
    const told: string[] = [];
    informer.addIndex('bad', () => {
      throw new Error('no index');
    });
    informer.addHandler({
      added: () => {
        throw new Error('no handler');
      },
    });
    informer.addHandler({ added: ({ metadata }) => told.push(metadata.name) });
    cache.start(signal.signal);
    await answer(server, map('a', '5'), map('b', '6'));
    await cache.waitForSync();
    expect(told).toEqual(['a', 'b']);
    expect(informer.lister.byIndex('bad', 'x')).toEqual([]);
  });

  it('reports existing objects to a later handler, and nothing after it was removed', async () => {
    const { cache, server, signal, clock } = start();
    const informer = cache.informer(ConfigMap);
    cache.start(signal.signal);
    const watch = await answer(server, map('a', '5'));
    await cache.waitForSync();
    const told: string[] = [];
    const remove = informer.addHandler({
      added: ({ metadata }, isInitial) => told.push(`${metadata.name} ${isInitial}`),
    });
    watch.event('ADDED', map('b', '101'));
    await clock.advance(0);
    remove();
    watch.event('ADDED', map('c', '102'));
    await clock.advance(0);
    expect(told).toEqual(['a true', 'b false']);
  });

  it.each([
    ['its version is older than a reported one', '50', '5', 'other'],
    ['its version is newer, but an object is older', '200', '4', 'before'],
  ])(
    'replaces every object if the server was restored from older data: %s',
    async (_, version, versionOfB, dataOfB) => {
      const { cache, server, signal, clock } = start();
      const informer = cache.informer(ConfigMap);
      const told: string[] = [];
      const tell = (what: string) => (object: ConfigMap) =>
        told.push(`${what} ${object.metadata.name} ${object.data?.['is']}`);
      informer.addHandler({ added: tell('added'), updated: tell('updated'), deleted: tell('deleted') });
      cache.start(signal.signal);
      const watch = await answer(
        server,
        { ...map('a', '5'), data: { is: 'before' } },
        { ...map('b', '5'), data: { is: 'before' } },
      );
      await cache.waitForSync();
      watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
      await clock.advance(2000);
      const again = await server.next();
      again.open();
      // Another object, although its version is the same.
      again.event('ADDED', { ...map('a', '5'), data: { is: 'other' } });
      again.event('ADDED', { ...map('b', versionOfB), data: { is: dataOfB } });
      again.endOfInitialEvents(version);
      for (let turn = 0; turn < 10; turn++) await clock.advance(0);
      expect(told.slice(2)).toEqual(['deleted a before', 'added a other', 'deleted b before', `added b ${dataOfB}`]);
      expect(informer.lister.get('default/a')?.data).toEqual({ is: 'other' });
    },
  );

  it('reports for an update whether earlier states may have been missed', async () => {
    const { cache, server, signal, clock } = start();
    const told: string[] = [];
    cache.informer(ConfigMap).addHandler({
      updated: ({ metadata }, _previous, isRelisted) => told.push(`${metadata.resourceVersion} ${isRelisted}`),
    });
    cache.start(signal.signal);
    const watch = await answer(server, map('a', '5'));
    await cache.waitForSync();
    watch.event('MODIFIED', map('a', '101'));
    watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await clock.advance(2000);
    const again = await server.next();
    again.open();
    again.event('ADDED', map('a', '103'));
    again.endOfInitialEvents('104');
    for (let turn = 0; turn < 10; turn++) await clock.advance(0);
    expect(told).toEqual(['101 false', '103 true']);
  });

  it('lets a writer wait for its write, or for any later change', async () => {
    const { cache, server, signal, clock } = start();
    const informer = cache.informer(ConfigMap);
    cache.start(signal.signal);
    const watch = await answer(server, map('a', '5'));
    await cache.waitForSync();
    const seen: string[] = [];
    const note =
      (what: string): (() => void) =>
      () =>
        seen.push(what);
    await informer.waitForWrite('default/a', '99');
    void informer.waitForWrite('default/a', '110').then(note('a at 110'));
    void informer.waitForWrite('default/b', '111').then(note('b at 111'));
    void informer.waitForDelete('default/a', 'a').then(note('a deleted'));
    watch.event('MODIFIED', map('a', '110'));
    await clock.advance(0);
    expect(seen).toEqual(['a at 110']);
    watch.bookmark('1000');
    await clock.advance(0);
    expect(seen).toEqual(['a at 110', 'b at 111']);
    watch.event('MODIFIED', map('a', '1001', { deletionTimestamp: '2026-01-01T00:00:00Z' }));
    await clock.advance(0);
    expect(seen).toEqual(['a at 110', 'b at 111', 'a deleted']);
    const given = new AbortController();
    const waiting = informer.waitForWrite('default/a', '5000', given.signal);
    given.abort(new Error('waited long enough'));
    await expect(waiting).rejects.toThrow('waited long enough');
  });
});

it('compares resource versions as integers of any length', () => {
  expect(compareResourceVersions('9', '10')).toBeLessThan(0);
  expect(compareResourceVersions('90071992547409931', '90071992547409932')).toBeLessThan(0);
  expect(compareResourceVersions('12', '12')).toBe(0);
});
