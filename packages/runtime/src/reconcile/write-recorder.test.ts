import { ManualClock, Metadata, SilentLogger } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { Cache, type Informer } from '../cache/index.ts';
import { RunWrites } from './run-writes.ts';
import { type Answer, refusal, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';
import { WriteRecorder } from './write-recorder.ts';
import { WrittenCaches } from './written-caches.ts';

type Seen = { metadata: { resourceVersion: string; labels?: Record<string, string>; uid?: string }; data?: object };

function map({ metadata, data = {} }: Seen): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'page', namespace: 'default', uid: 'u', ...metadata },
    data,
  };
}

const configMaps = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

/** A manager's client, with caches that the test fills. */
function setUp(answer: (request: SentRequest) => Answer, { labels }: { labels?: Record<string, string> } = {}) {
  const clock = new ManualClock();
  const waits: { version: string; signal: AbortSignal | undefined; resolve: () => void }[] = [];
  let cached: object | undefined;
  const informer = {
    resource: configMaps,
    metadataOnly: false,
    scope: { labels, namespaces: ['default'] },
    lister: { get: () => cached },
    waitForWrite: (_: unknown, version: string, signal?: AbortSignal) => wait(version, signal),
    waitForDelete: (_: unknown, uid: string, signal?: AbortSignal) => wait(uid, signal),
  } as unknown as Informer;
  const wait = (version: string, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
      waits.push({ version, signal, resolve });
    });
  const caches = new WrittenCaches({ informersOf: () => [informer] } as unknown as Cache, clock, new SilentLogger());
  const recorder = new WriteRecorder(caches);
  const { client } = scriptedClient(answer, { interceptors: [recorder.interceptor], observers: [recorder.observer] });
  return {
    client,
    recorder,
    caches,
    clock,
    waits,
    cache: (object: Seen) => {
      cached = map(object);
    },
  };
}

const answer =
  (seen: Seen, status = 200) =>
  (): Answer => ({ status, body: map(seen) });

const v8 = { metadata: { resourceVersion: '8' }, data: { a: '2' } };

describe('WriteRecorder', () => {
  it('records the writes of a run, however it sends them, and the changed paths', async () => {
    const { client, recorder, cache } = setUp(answer(v8));
    cache({ metadata: { resourceVersion: '7' }, data: { a: '1' } });
    const writes = new RunWrites();
    await recorder.collect(writes, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await client.patch(ConfigMap, 'default/page', { merge: { data: { a: '2' } } });
    });
    expect(writes.list).toMatchObject([
      { verb: 'patch', resourceVersion: '8', uid: 'u', effect: 'changed', changed: ['data.a'] },
    ]);
    expect(String(writes.list[0]?.key)).toBe('default/page');
  });

  it('derives the changed paths from a merge patch if the response has only metadata', async () => {
    const { client, recorder, cache } = setUp(answer({ metadata: { resourceVersion: '8', labels: { new: '' } } }));
    cache({ metadata: { resourceVersion: '7' }, data: { a: '1', b: '1', d: '1' } });
    const writes = new RunWrites();
    const patch = { metadata: { resourceVersion: '7', uid: 'u' }, data: { a: '2', b: '1', c: null, d: null } };
    await recorder.collect(writes, () => client.patch(Metadata(ConfigMap), 'default/page', { merge: patch }));
    expect(writes.list).toMatchObject([
      { resourceVersion: '8', uid: 'u', effect: 'changed', changed: ['data.a', 'data.d', 'metadata.labels'] },
    ]);
    expect(writes.written(configMaps, 'default/page')).toBeUndefined();
  });

  it('treats a merge patch as unchanged if the resourceVersion is the same', async () => {
    const { client, recorder, cache } = setUp(answer({ metadata: { resourceVersion: '7' } }));
    cache({ metadata: { resourceVersion: '7' }, data: { a: '1' } });
    const writes = new RunWrites();
    await recorder.collect(writes, () =>
      client.patch(Metadata(ConfigMap), 'default/page', { merge: { data: { pruned: '2' } } }),
    );
    expect(writes.list).toMatchObject([{ effect: 'unchanged', changed: [] }]);
  });

  it('separates the writes of two runs, and ignores writes outside of runs', async () => {
    const { client, recorder } = setUp(answer(v8));
    const [one, two] = [new RunWrites(), new RunWrites()];
    await Promise.all([
      recorder.collect(one, () => client.patch(ConfigMap, 'default/one', { merge: {} })),
      recorder.collect(two, () => client.patch(ConfigMap, 'default/two', { merge: {} })),
      client.patch(ConfigMap, 'default/three', { merge: {} }),
    ]);
    expect([one, two].map(({ list }) => list.map(({ key }) => key.name))).toEqual([['one'], ['two']]);
  });

  it('ignores writes after the run has ended', async () => {
    const { client, recorder } = setUp(answer(v8));
    const writes = new RunWrites();
    await recorder.collect(writes, async () => {
      const late = client.patch(ConfigMap, 'default/page', { merge: {} });
      writes.end();
      await late;
    });
    expect(writes.list).toEqual([]);
  });

  it('ignores reads, dry runs and rejected requests', async () => {
    const { client, recorder } = setUp(({ method, path }) =>
      method === 'PATCH' && !path.includes('dryRun') ? refusal(409, 'Conflict', 'no') : answer(v8)(),
    );
    const writes = new RunWrites();
    await recorder.collect(writes, async () => {
      await client.get(ConfigMap, 'default/page');
      await client.patch(ConfigMap, 'default/page', { merge: {} }, { dryRun: true });
      await client.patch(ConfigMap, 'default/page', { merge: {} }).catch(() => undefined);
    });
    expect(writes.list).toEqual([]);
  });

  it('waits until the cache that selects the object has received the write', async () => {
    const { client, recorder, waits } = setUp(answer({ metadata: { resourceVersion: '8', labels: { a: 'b' } } }), {
      labels: { a: 'b' },
    });
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.patch(ConfigMap, 'default/page', { merge: {} }));
    expect([writes.isAwaited, waits.map(({ version }) => version)]).toEqual([true, ['8']]);
    let seen = false;
    const waiting = writes.seen().then(() => {
      seen = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toBe(false);
    waits[0]?.resolve();
    await waiting;
  });

  it.each<[string, Seen, Seen | undefined, string]>([
    ['an object that no cache selects', { metadata: { resourceVersion: '8' } }, undefined, 'default/page'],
    [
      'an object in a namespace that is not cached',
      { metadata: { resourceVersion: '8', labels: { a: 'b' } } },
      undefined,
      'x/page',
    ],
    [
      'a write that changed nothing',
      { metadata: { resourceVersion: '7', labels: { a: 'b' } } },
      { metadata: { resourceVersion: '7', labels: { a: 'b' } } },
      'default/page',
    ],
  ])('does not wait for %s', async (_, answered, before, key) => {
    const { client, recorder, cache, waits } = setUp(answer(answered), { labels: { a: 'b' } });
    if (before !== undefined) cache(before);
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.patch(ConfigMap, key, { merge: {} }));
    expect([writes.list.length, writes.isAwaited, waits]).toEqual([1, false, []]);
  });

  it('waits for a deletion until the uid is gone', async () => {
    const { client, recorder, cache, waits } = setUp(() => ({
      status: 200,
      body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
    }));
    cache({ metadata: { resourceVersion: '7', uid: 'u-1' } });
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.delete(ConfigMap, 'default/page'));
    expect(writes.list).toMatchObject([{ verb: 'delete', effect: 'deleted', uid: 'u-1' }]);
    expect(waits.map(({ version }) => version)).toEqual(['u-1']);
  });

  it('waits for an object that a run created and deleted until the cache has received both', async () => {
    const { client, recorder, cache, waits } = setUp(({ method }) => ({
      status: method === 'POST' ? 201 : 200,
      body:
        method === 'POST'
          ? map({ metadata: { resourceVersion: '8', uid: 'u-1' } })
          : { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' },
    }));
    const writes = new RunWrites();
    await recorder.collect(writes, async () => {
      await client.create(ConfigMap, { metadata: { generateName: 'page', namespace: 'default' } });
      await client.delete(ConfigMap, 'default/page');
    });
    let seen = false;
    const waiting = writes.seen().then(() => {
      seen = true;
    });
    expect(waits.map(({ version }) => version)).toEqual(['8', '8']);
    cache({ metadata: { resourceVersion: '8', uid: 'u-1' } });
    for (const { resolve } of waits) resolve();
    await new Promise((resolve) => setImmediate(resolve));
    expect([seen, waits.map(({ version }) => version)]).toEqual([false, ['8', '8', 'u-1']]);
    waits.at(-1)?.resolve();
    await waiting;
  });

  const deleted = (...names: string[]) => ({
    status: 200,
    body: {
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata: {},
      items: names.map((name) => ({ metadata: { name, namespace: 'default', uid: `u-${name}` } })),
    },
  });

  it('waits for the deletion of a collection until all objects are gone, and records each', async () => {
    const { client, recorder, waits } = setUp(() => deleted('one', 'two'));
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.deleteCollection(ConfigMap, { namespace: 'default' }));
    expect(writes.list.map(({ verb, effect, key, uid }) => `${verb} ${effect} ${key} ${uid}`)).toEqual([
      'delete deleted default/one u-one',
      'delete deleted default/two u-two',
    ]);
    let seen = false;
    const waiting = writes.seen().then(() => {
      seen = true;
    });
    for (const uid of ['u-one', 'u-two']) {
      await new Promise((resolve) => setImmediate(resolve));
      expect([seen, waits.at(-1)?.version]).toEqual([false, uid]);
      waits.at(-1)?.resolve();
    }
    await waiting;
  });

  it('waits at most 5 s for a collection, and reports that once', async () => {
    const { client, recorder, caches, clock } = setUp(() => deleted('one', 'two', 'three'));
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.deleteCollection(ConfigMap, { namespace: 'default' }));
    await clock.advance(5000);
    await writes.seen();
    expect([caches.late, clock.pending]).toEqual([1, 0]);
  });

  it('does not wait for an empty collection or for dry runs of deletions', async () => {
    const { client, recorder, cache, waits } = setUp(({ path }) => (path.endsWith('/page') ? answer(v8)() : deleted()));
    cache({ metadata: { resourceVersion: '7', uid: 'u-1' } });
    const writes = new RunWrites();
    await recorder.collect(writes, async () => {
      await client.deleteCollection(ConfigMap, { namespace: 'default' });
      await client.deleteCollection(ConfigMap, { namespace: 'default', dryRun: true });
      await client.delete(ConfigMap, 'default/page', { dryRun: true });
    });
    expect([writes.list, writes.isAwaited, waits]).toEqual([[], false, []]);
  });

  it('waits at most 5 s, and counts late writes', async () => {
    const { client, recorder, caches, clock } = setUp(answer(v8));
    const writes = new RunWrites();
    await recorder.collect(writes, () => client.patch(ConfigMap, 'default/page', { merge: {} }));
    const seen = writes.seen();
    await clock.advance(4999);
    expect(caches.late).toBe(0);
    await clock.advance(1);
    await seen;
    expect([caches.late, clock.pending]).toEqual([1, 0]);
  });
});
