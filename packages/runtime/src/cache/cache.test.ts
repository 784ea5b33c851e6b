import { createClient } from '@evenkeel/client';
import { type Logger, type LogKeys, ManualClock, Metadata, SeededRandom, SilentLogger } from '@evenkeel/core';
import { ConfigMap, Deployment, Secret } from '@evenkeel/kinds';
import { Cache, type KindCacheOptions, narrowsKind } from './cache.ts';
import { type Exchange, ScriptedServer } from './scripted-server.fixture.ts';

interface Started {
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly stop: AbortController;
}

function start(kinds: readonly KindCacheOptions[] = [], logger: Logger = new SilentLogger()): Started {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const client = createClient(server, { clock });
  const cache = new Cache({ client, clock, random: new SeededRandom(1), kinds, logger });
  return { server, clock, cache, stop: new AbortController() };
}

function map(
  name: string,
  resourceVersion: string,
  labels: Record<string, string> = {},
  namespace = 'default',
): object {
  const metadata = { name, namespace, uid: `uid of ${name}`, resourceVersion, labels };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { text: name } };
}

async function answer(server: ScriptedServer, ...objects: object[]): Promise<Exchange> {
  const watch = await server.next();
  watch.open();
  for (const object of objects) watch.event('ADDED', object);
  watch.endOfInitialEvents('100');
  return watch;
}

describe('scopes of one kind', () => {
  it('share one watch if one scope contains the others, in any order of requests', async () => {
    const { cache, server, stop } = start();
    const web = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    const named = cache.informer(ConfigMap, { fields: { 'metadata.name': 'b' } });
    const other = cache.informer(ConfigMap, { namespaces: ['other'] });
    const metadata = cache.informer(Metadata(ConfigMap), { labels: 'tier in (db)' });
    const all = cache.informer(ConfigMap);
    cache.start(stop.signal);
    const watch = await answer(
      server,
      map('a', '5', { tier: 'web' }),
      map('b', '6', { tier: 'db' }),
      map('c', '7', { tier: 'web' }, 'other'),
    );
    await cache.waitForSync();
    expect(watch.query.get('labelSelector')).toBeNull();
    expect(cache.watchedScopes).toBe(1);
    const namesIn = (informer: { lister: { list(): readonly { metadata: { name: string } }[] } }): string[] =>
      informer.lister.list().map((object) => object.metadata.name);
    expect([web, named, other, metadata, all].map(namesIn)).toEqual([['a', 'c'], ['b'], ['c'], ['b'], ['a', 'b', 'c']]);
    expect([web, named, other, metadata, all].map(({ size }) => size)).toEqual([2, 1, 1, 1, 3]);
    expect(web.lister.get('default/a')).toBe(all.lister.get('default/a'));
    expect(web.lister.get('default/b')).toBeUndefined();
    stop.abort();
    await cache.stopped();
  });

  it('have separate watches if none contains the others, and store common objects once', async () => {
    const { cache, server, stop } = start();
    const web = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    const red = cache.informer(ConfigMap, { labels: { colour: 'red' } });
    const partial = cache.informer(Metadata(ConfigMap));
    cache.start(stop.signal);
    for (let watches = 0; watches < 3; watches++) {
      const watch = await server.next();
      watch.open();
      const object = map('a', '5', { tier: 'web', colour: 'red' }) as Record<string, unknown>;
      if (watch.request.headers?.['accept']?.includes('PartialObjectMetadata') === true) delete object['data'];
      watch.event('ADDED', object);
      watch.endOfInitialEvents('100');
    }
    await cache.waitForSync();
    expect(cache.watchedScopes).toBe(3);
    expect(web.lister.get('default/a')).toBe(red.lister.get('default/a'));
    expect(web.lister.get('default/a')?.data).toEqual({ text: 'a' });
    expect(partial.lister.get('default/a')).not.toHaveProperty('data');
    stop.abort();
    await cache.stopped();
  });

  it('are separate if only the server can evaluate a field selector', async () => {
    const { cache, server, stop } = start();
    cache.informer(Secret);
    cache.informer(Secret, { fields: { type: 'kubernetes.io/tls' } });
    cache.start(stop.signal);
    await answer(server);
    await answer(server);
    await cache.waitForSync();
    expect(cache.watchedScopes).toBe(2);
    stop.abort();
    await cache.stopped();
  });

  it('provide existing objects to a later, smaller scope', async () => {
    const { cache, server, stop } = start();
    cache.informer(ConfigMap);
    cache.start(stop.signal);
    await answer(server, map('a', '5', { tier: 'web' }), map('b', '6'));
    await cache.waitForSync();
    const told: string[] = [];
    const late = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    late.addHandler({ added: ({ metadata }, isInitial) => told.push(`${metadata.name} ${isInitial}`) });
    await late.waitForSync();
    expect(told).toEqual(['a true']);
    expect(cache.watchedScopes).toBe(1);
    stop.abort();
    await cache.stopped();
  });
});

describe('a view of a part', () => {
  it('reports only objects that enter it, change in it and leave it', async () => {
    const { cache, server, stop, clock } = start();
    cache.informer(ConfigMap);
    const web = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    const told: string[] = [];
    web.addHandler({
      added: ({ metadata }, isInitial) => told.push(`${metadata.name} added${isInitial ? ' at first' : ''}`),
      updated: ({ metadata }, previous) =>
        told.push(`${metadata.name} updated from ${previous.metadata.resourceVersion}`),
      deleted: ({ metadata }) => told.push(`${metadata.name} deleted`),
    });
    cache.start(stop.signal);
    const watch = await answer(server, map('a', '5', { tier: 'web' }), map('b', '6'));
    await cache.waitForSync();
    watch.event('MODIFIED', map('b', '101'));
    watch.event('MODIFIED', map('b', '102', { tier: 'web' }));
    watch.event('MODIFIED', map('b', '103', { tier: 'web' }));
    watch.event('MODIFIED', map('a', '104', { tier: 'db' }));
    watch.event('DELETED', map('a', '105', { tier: 'db' }));
    watch.event('DELETED', map('b', '106', { tier: 'web' }));
    await clock.advance(0);
    expect(told).toEqual(['a added at first', 'b added', 'b updated from 102', 'a deleted', 'b deleted']);
    stop.abort();
    await cache.stopped();
  });

  it('rejects a namespace outside of its scope although the store has it, and lists its own', async () => {
    const { cache, server, stop } = start();
    const all = cache.lister(ConfigMap);
    const one = cache.lister(ConfigMap, { namespaces: ['default'] });
    cache.start(stop.signal);
    await answer(server, map('a', '5', {}, 'other'));
    await cache.waitForSync();
    expect(all.get('other/a')).toBeDefined();
    expect(() => one.get('other/a')).toThrow(
      'the cache of configmaps contains only the namespaces default, not other; add the namespace to the cache, or read with the client',
    );
    expect(() => one.list({ namespace: 'other' })).toThrow(expect.objectContaining({ code: 'outside-of-cache' }));
    stop.abort();
    await cache.stopped();
  });

  it('has its own indexes, whose names may be the same in two views of one store', async () => {
    const { cache, server, stop } = start();
    const all = cache.informer(ConfigMap);
    const web = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    const byText = all.addIndex('by', ({ data }) => [data?.['text'] ?? '']);
    web.addIndex('by', ({ metadata }) => Object.keys(metadata.labels ?? {}));
    expect(byText('b')).toEqual([]);
    expect(all.lister.byIndex('by', 'b')).toEqual([]);
    expect(() => all.lister.byIndex('buy', 'b')).toThrow('there is no index "buy" of configmaps; did you mean "by"?');
    cache.start(stop.signal);
    await answer(server, map('a', '5', { tier: 'web' }), map('b', '6', { tier: 'db' }));
    await cache.waitForSync();
    expect(byText('b').map(({ data }) => data)).toEqual([{ text: 'b' }]);
    expect(all.lister.byIndex('by', 'b').map(({ metadata }) => metadata.name)).toEqual(['b']);
    expect(web.lister.byIndex('by', 'tier').map(({ metadata }) => metadata.name)).toEqual(['a']);
    expect(() => web.lister.byIndex('buy', 'x')).toThrow('there is no index "buy" of configmaps; did you mean "by"?');
    stop.abort();
    await cache.stopped();
  });

  it('calls no removed handler, even if it was removed before the start', async () => {
    const { cache, server, stop, clock } = start();
    const web = cache.informer(ConfigMap, { labels: { tier: 'web' } });
    const told: string[] = [];
    web.addHandler({ added: () => told.push('early') })();
    cache.start(stop.signal);
    const remove = web.addHandler({ added: () => told.push('late') });
    remove();
    await answer(server, map('a', '5', { tier: 'web' }));
    await cache.waitForSync();
    await clock.advance(0);
    expect(told).toEqual([]);
    stop.abort();
    await cache.stopped();
  });

  it('lets callers that wait before the start abort', async () => {
    const { cache } = start();
    const given = new AbortController();
    const waiting = cache.informer(ConfigMap).waitForSync(given.signal);
    given.abort(new Error('waited long enough'));
    await expect(waiting).rejects.toThrow('waited long enough');
  });
});

describe('options of a kind', () => {
  const deployment = (name: string, image: string): object => ({
    kind: 'Deployment',
    apiVersion: 'apps/v1',
    metadata: { name, namespace: 'default', uid: name, resourceVersion: '5', labels: { app: 'web' } },
    spec: {
      replicas: 3,
      template: { spec: { containers: [{ name: 'web', image, args: ['a'] }, { name: 'other' }], nodeName: 'n' } },
    },
    status: { readyReplicas: 3 },
  });

  it('keep only the listed fields, through lists too, and always the identity of the object', async () => {
    const keep = ['spec.replicas', 'spec.template.spec.containers.image', 'spec.absent.deep', 'spec.replicas.odd'];
    const { cache, server, stop } = start([{ kind: Deployment, keep }]);
    const lister = cache.lister(Deployment);
    cache.start(stop.signal);
    await answer(server, deployment('a', 'nginx:1'));
    await cache.waitForSync();
    expect(lister.get('default/a')).toEqual({
      ...deployment('a', 'nginx:1'),
      spec: { replicas: 3, template: { spec: { containers: [{ image: 'nginx:1' }, {}] } } },
      status: undefined,
    });
    expect(Object.keys(lister.get('default/a') ?? {})).toEqual(['apiVersion', 'kind', 'metadata', 'spec']);
    stop.abort();
    await cache.stopped();
  });

  it.each(['', 'spec.', '.spec', 'spec.containers[0]', 'spec.*', 'a b'])('reject the path "%s"', (text) => {
    expect(() => start([{ kind: Deployment, keep: [text] }])).toThrow(
      expect.objectContaining({
        code: 'invalid-option',
        message: expect.stringContaining(`keep: invalid path "${text}"`),
      }),
    );
  });

  it('drop dangerous names of fields', async () => {
    const { cache, server, stop } = start([{ kind: ConfigMap, keep: ['data.__proto__.polluted', 'constructor.name'] }]);
    const lister = cache.lister(ConfigMap);
    cache.start(stop.signal);
    const watch = await server.next();
    watch.open();
    const metadata = '"metadata":{"name":"a","namespace":"default","uid":"u","resourceVersion":"5"}';
    watch.bytes(`{"type":"ADDED","object":{${metadata},"data":{"__proto__":{"polluted":"yes","x":1}}}}\n`);
    watch.endOfInitialEvents('100');
    await cache.waitForSync();
    expect(JSON.stringify(lister.get('default/a')?.data)).toBe('{"__proto__":{"polluted":"yes"}}');
    expect(lister.get('default/a')?.constructor).toBe(ConfigMap);
    expect(Object.prototype).not.toHaveProperty('polluted');
    stop.abort();
    await cache.stopped();
  });

  it('transform objects before they are stored, and skip and report those for which it fails', async () => {
    const errors: string[] = [];
    const logger = new SilentLogger() as Logger;
    logger.error = (message: string, keys: LogKeys = {}) => {
      errors.push(`${message}: ${(keys['error'] as Error).message}`);
    };
    const transform = (map: ConfigMap): ConfigMap => {
      if (map.metadata.name === 'bad') throw new Error('no transform');
      if (map.metadata.name === 'other') return { ...map, metadata: { ...map.metadata, name: 'renamed' } };
      map.data = { size: String(JSON.stringify(map.data).length) };
      return map;
    };
    const { cache, server, stop } = start([{ kind: ConfigMap, transform }], logger);
    const lister = cache.lister(ConfigMap);
    cache.start(stop.signal);
    await answer(server, map('a', '5'), map('bad', '6'), map('other', '7'), map('z', '8'));
    await cache.waitForSync();
    expect(lister.list().map(({ metadata, data }) => [metadata.name, data])).toEqual([
      ['a', { size: '12' }],
      ['z', { size: '12' }],
    ]);
    expect(errors).toEqual([
      'skipped a watch event that cannot be read: the transform threw at default/bad',
      'skipped a watch event that cannot be read: the transform returned another object than default/other, or nothing',
    ]);
    stop.abort();
    await cache.stopped();
  });

  it('are the default for omitted parts of a scope, and nothing else', async () => {
    const { cache, server, stop } = start([{ kind: ConfigMap, namespaces: ['one'], labels: { tier: 'web' } }]);
    cache.informer(ConfigMap, { labels: {}, fields: {} });
    cache.informer(ConfigMap, { namespaces: ['two'], labels: '' });
    cache.start(stop.signal);
    const asked = [];
    for (const watch of [await server.next(), await server.next()]) {
      asked.push([watch.request.path.split('?')[0], watch.query.get('labelSelector')]);
      watch.open();
      watch.endOfInitialEvents('100');
    }
    await cache.waitForSync();
    expect(asked).toEqual([
      ['/api/v1/namespaces/one/configmaps', 'tier=web'],
      ['/api/v1/namespaces/two/configmaps', null],
    ]);
    stop.abort();
    await cache.stopped();
  });

  it('determine whether a kind is cached completely', () => {
    const kinds: KindCacheOptions[] = [
      { kind: ConfigMap, labels: {}, transform: (map: ConfigMap) => map },
      { kind: Secret, fields: { type: 'kubernetes.io/tls' } },
      { kind: Deployment, keep: ['spec.replicas'] },
    ];
    expect([ConfigMap, Secret, Deployment].map((kind) => narrowsKind(kinds, kind))).toEqual([false, true, true]);
  });

  it('reduce the memory of the kind', async () => {
    const measure = async (kinds: KindCacheOptions[]) => {
      const { cache, server, stop } = start(kinds);
      cache.informer(Deployment);
      cache.start(stop.signal);
      await answer(server, ...Array.from({ length: 100 }, (_, at) => deployment(`d${at}`, 'x'.repeat(1000))));
      await cache.waitForSync();
      stop.abort();
      await cache.stopped();
      return cache.usage;
    };
    const [whole] = await measure([]);
    const [part] = await measure([{ kind: Deployment, keep: ['spec.replicas'] }]);
    expect(whole).toMatchObject({ resource: 'deployments.apps', metadataOnly: false, objects: 100 });
    const eachBytes = JSON.stringify({ type: 'ADDED', object: deployment('d10', 'x'.repeat(1000)) }).length;
    expect(Math.abs((whole?.bytes ?? 0) / 100 - eachBytes)).toBeLessThan(5);
    expect(part?.bytes).toBeLessThan((whole?.bytes ?? 0) / 5);
  });
});
