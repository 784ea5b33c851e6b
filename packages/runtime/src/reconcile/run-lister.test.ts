import { ConfigMap } from '@evenkeel/kinds';
import type { Informer } from '../cache/index.ts';
import { RunLister } from './run-lister.ts';
import { RunWrites } from './run-writes.ts';
import { type Answer, scriptedClient } from './scripted-client.fixture.ts';
import { WriteRecorder } from './write-recorder.ts';

function map(resourceVersion: string, metadata: object = {}): ConfigMap {
  return Object.assign(new ConfigMap(), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'page', namespace: 'default', uid: 'u', resourceVersion, ...metadata },
  });
}

const deleted: Answer = { status: 200, body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' } };

/** A lister of a cache that the test fills, and a client whose writes the run records. */
function setUp(
  answer: object,
  {
    metadataOnly = false,
    labels,
    fields,
  }: { metadataOnly?: boolean; labels?: Record<string, string>; fields?: Record<string, string> } = {},
) {
  const cache: { object?: ConfigMap; lastSyncResourceVersion?: string } = { object: map('7') };
  const held = (): ConfigMap[] => (cache.object === undefined ? [] : [cache.object]);
  const indexedUnder = ({ metadata }: ConfigMap): string[] => Object.values(metadata.labels ?? {});
  const informer = {
    resource: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true },
    metadataOnly,
    scope: { labels, fields },
    lister: {
      get: () => cache.object,
      list: ({ labels: asked = {} }: { labels?: Record<string, string> } = {}) =>
        held().filter(({ metadata }) =>
          Object.entries(asked).every(([name, value]) => metadata.labels?.[name] === value),
        ),
      byIndex: (_: string, value: string) => held().filter((object) => indexedUnder(object).includes(value)),
    },
    indexedUnder: (_: string, object: ConfigMap) => indexedUnder(object),
    get health() {
      return { lastSyncResourceVersion: cache.lastSyncResourceVersion };
    },
  } as unknown as Informer<ConfigMap>;
  const recorder = new WriteRecorder({
    find: () => cache.object,
    seen: () => Promise.resolve(),
    allGone: () => Promise.resolve(),
  });
  const { client } = scriptedClient(() => (answer === deleted ? deleted : { status: 200, body: answer }), {
    interceptors: [recorder.interceptor],
    observers: [recorder.observer],
  });
  const lister = new RunLister(informer, recorder);
  const writes = new RunWrites();
  /** Calls `act` within the run, and returns the lister's result after it. */
  const within = (act: () => Promise<unknown>): Promise<ConfigMap | undefined> =>
    recorder.collect(writes, async () => {
      await act();
      return lister.get('default/page') as ConfigMap | undefined;
    });
  const patch = (): Promise<ConfigMap> => client.patch(ConfigMap, 'default/page', { merge: {} });
  return { cache, client, lister, patch, within, writes };
}

describe('RunLister', () => {
  it('returns the written object within the run, in the form of a cached one, and the cached object to other callers', async () => {
    const { cache, lister, patch, within } = setUp(map('8', { managedFields: [] }));
    let answer: ConfigMap | undefined;
    const written = await within(async () => {
      answer = await patch();
      answer.data = { changed: 'by the caller' };
    });
    expect(written).toEqual(map('8'));
    expect(written).toBeInstanceOf(ConfigMap);
    expect(Object.isFrozen(written?.metadata)).toBe(true);
    expect(Object.isFrozen(answer)).toBe(false);
    expect(lister.get('default/page')).toBe(cache.object);
  });

  it('returns the cached object as soon as it is as new, also if the object is gone again', async () => {
    const { cache, patch, within } = setUp(map('8'));
    expect(await within(patch)).toEqual(map('8'));
    cache.object = map('9');
    expect(await within(async () => {})).toBe(cache.object);
    delete cache.object;
    expect(await within(async () => {})).toEqual(map('8'));
    cache.lastSyncResourceVersion = '10';
    expect(await within(async () => {})).toBeUndefined();
  });

  it('omits objects that the run deleted, unless they have finalizers or were created again', async () => {
    const one = setUp(deleted);
    expect(await one.within(() => one.client.delete(ConfigMap, 'default/page'))).toBeUndefined();
    one.cache.object = map('9', { uid: 'another' });
    expect(await one.within(async () => {})).toBe(one.cache.object);

    const held = map('8', { finalizers: ['a/b'], deletionTimestamp: '2026-01-01T00:00:00Z' });
    const two = setUp(held);
    expect(await two.within(() => two.client.delete(ConfigMap, 'default/page'))).toEqual(held);
  });

  it('reads the cache if only metadata is cached or only the server can evaluate the selector', async () => {
    const metadata = setUp(map('8'), { metadataOnly: true });
    expect(await metadata.within(metadata.patch)).toBe(metadata.cache.object);
    const typed = setUp(map('8'), { fields: { type: 'a' } });
    expect(await typed.within(typed.patch)).toBe(typed.cache.object);
  });

  it('omits objects that no longer match its selector', async () => {
    const labelled = setUp(map('8'), { labels: { a: 'b' } });
    expect(await labelled.within(labelled.patch)).toBeUndefined();
    const other = setUp(map('8'), { fields: { 'metadata.name': 'other' } });
    expect(await other.within(other.patch)).toBeUndefined();
    const same = setUp(map('8'), { fields: { 'metadata.name': 'page', 'metadata.namespace': 'default' } });
    expect(await same.within(same.patch)).toEqual(map('8'));
  });

  it('includes written objects in lists and indexes', async () => {
    const one = setUp(map('8', { labels: { of: 'new' } }));
    const read = () => [one.lister.list(), one.lister.list({ labels: { of: 'new' } }), one.lister.byIndex('of', 'new')];
    const names = () => read().map((objects) => objects.map(({ metadata }) => metadata.resourceVersion));
    expect(names()).toEqual([['7'], [], []]);
    await one.within(async () => {
      await one.patch();
      expect(names()).toEqual([['8'], ['8'], ['8']]);
      expect(one.lister.byIndex('of', 'old')).toEqual([]);
      expect(one.lister.list({ namespace: 'other' })).toEqual([]);
      one.cache.object = map('9', { labels: { of: 'old' } });
      expect(names()).toEqual([['9'], [], []]);
      expect(one.lister.byIndex('of', 'old')).toEqual([one.cache.object]);
    });

    const two = setUp(deleted);
    await two.within(async () => {
      await two.client.delete(ConfigMap, 'default/page');
      expect(two.lister.list()).toEqual([]);
    });
    expect(two.lister.list()).toEqual([two.cache.object]);

    const three = setUp(map('8'), { metadataOnly: true });
    await three.within(async () => {
      await three.patch();
      expect(three.lister.list()).toEqual([three.cache.object]);
    });
  });

  it('reads the cache after the run has ended, also in work that it left behind', async () => {
    const { cache, patch, within, writes } = setUp(map('8'));
    await within(patch);
    writes.end();
    expect(await within(async () => {})).toBe(cache.object);
  });
});
