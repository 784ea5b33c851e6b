import { createClient } from '@evenkeel/client';
import { ManualClock, SeededRandom } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import type { InformerScope } from './informer-scope.ts';
import { type Exchange, ScriptedServer } from './scripted-server.fixture.ts';

/** A ConfigMap as the server shows it. */
function map(name: string, resourceVersion: string, data: object, other: object = {}): object {
  const metadata = { name, namespace: 'default', uid: `uid of ${name}`, resourceVersion, ...other };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data };
}

const before = { text: 'x' };
const after = { text: 'x', color: 'red' };

class Bench {
  readonly server = new ScriptedServer();
  readonly clock = new ManualClock();
  readonly stop = new AbortController();
  readonly cache = new Cache({
    client: createClient(this.server, { clock: this.clock }),
    clock: this.clock,
    random: new SeededRandom(1),
  });

  informer(told: string[], scope: InformerScope = {}): Informer<ConfigMap> {
    const informer = this.cache.informer(ConfigMap, scope);
    const short = ({ metadata, data }: ConfigMap): string =>
      `${metadata.name}@${metadata.resourceVersion} ${data?.['color']}`;
    informer.addHandler({
      added: (object) => told.push(`added ${short(object)}`),
      updated: (object, previous, isRelisted) =>
        told.push(`updated ${short(previous)} to ${short(object)}${isRelisted ? ' relisted' : ''}`),
      deleted: (object) => told.push(`deleted ${short(object)}`),
    });
    return informer;
  }

  async turns(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await this.clock.advance(0);
  }

  /** Answers the next request, which must be for everything there is. */
  async answer(resourceVersion: string, ...objects: object[]): Promise<Exchange> {
    const watch = await this.server.next();
    expect(watch.query.get('sendInitialEvents')).toBe('true');
    watch.open();
    for (const object of objects) watch.event('ADDED', object);
    watch.endOfInitialEvents(resourceVersion);
    await this.turns();
    return watch;
  }
}

let bench: Bench;
let told: string[];

beforeEach(() => {
  bench = new Bench();
  told = [];
});

afterEach(() => bench.stop.abort());

/** An informer that holds these; nothing of that is left in what was told. */
async function synced(...objects: object[]): Promise<{ informer: Informer<ConfigMap>; watch: Exchange }> {
  const informer = bench.informer(told);
  bench.cache.start(bench.stop.signal);
  const watch = await bench.answer('10', ...objects);
  told.length = 0;
  return { informer, watch };
}

/** Reads anew; `isDone` says whether that is over. */
function readAnew(informer: Informer<ConfigMap>): { isDone: boolean } {
  const reading = { isDone: false };
  void informer.readAnew(bench.stop.signal).then(
    () => {
      reading.isDone = true;
    },
    () => undefined,
  );
  return reading;
}

describe('Informer.readAnew', () => {
  it('requests the latest objects in a new watch, and keeps its objects until they have arrived', async () => {
    const { informer, watch } = await synced(map('a', '5', before));
    const reading = readAnew(informer);
    const again = await bench.server.next();
    expect(watch.isAborted).toBe(true);
    expect([again.query.get('sendInitialEvents'), again.query.get('resourceVersion')]).toEqual(['true', null]);
    again.open();
    again.event('ADDED', map('a', '5', after));
    await bench.turns();
    expect(reading.isDone).toBe(false);
    expect(informer.health).toMatchObject({ synced: true, current: true, problem: undefined });
    expect(informer.lister.get('default/a')?.data).toEqual(before);
    again.endOfInitialEvents('10');
    await bench.turns();
    expect(reading.isDone).toBe(true);
    expect(informer.lister.get('default/a')?.data).toEqual(after);
    expect(told).toEqual(['updated a@5 undefined to a@5 red relisted']);
    again.event('MODIFIED', map('a', '11', after));
    await bench.turns();
    expect(told.slice(1)).toEqual(['updated a@5 red to a@11 red']);
    expect(bench.server.exchanges).toHaveLength(2);
  });

  it('keeps unchanged objects without reporting them, and reports changes', async () => {
    const { informer } = await synced(map('a', '5', before), map('b', '6', before), map('c', '7', before));
    const held = informer.lister.get('default/a');
    readAnew(informer);
    await bench.answer('20', map('a', '5', before), map('b', '15', before), map('d', '16', before));
    expect(informer.lister.get('default/a')).toBe(held);
    expect(told).toEqual([
      'deleted c@7 undefined',
      'updated b@6 undefined to b@15 undefined relisted',
      'added d@16 undefined',
    ]);
  });

  it('has no effect on other reads: they keep an object of the same version without a comparison', async () => {
    const { informer, watch } = await synced(map('a', '5', before));
    watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await bench.clock.advance(2000);
    await bench.answer('20', map('a', '5', after));
    expect(informer.lister.get('default/a')?.data).toEqual(before);
    expect(told).toEqual([]);
  });

  it('does not compare objects of later reads', async () => {
    const { informer } = await synced(map('a', '5', before));
    const reading = readAnew(informer);
    const again = await bench.answer('20', map('a', '5', after));
    expect(reading.isDone).toBe(true);
    again.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await bench.clock.advance(2000);
    await bench.answer('30', map('a', '5', before));
    expect(told).toHaveLength(1);
  });

  it('retries if the server fails, and lists if the server does not support WatchList', async () => {
    const { informer } = await synced(map('a', '5', before));
    const reading = readAnew(informer);
    (await bench.server.next()).refuse(429, 'TooManyRequests');
    await bench.clock.advance(2000);
    (await bench.server.next()).refuse(422, 'Invalid');
    const list = await bench.server.next();
    expect([list.isWatch, reading.isDone]).toEqual([false, false]);
    list.json({
      ...{ kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '10' } },
      items: [map('a', '5', after)],
    });
    await bench.turns();
    expect(reading.isDone).toBe(true);
    expect(told).toEqual(['updated a@5 undefined to a@5 red relisted']);
    expect((await bench.server.next()).query.get('resourceVersion')).toBe('10');
  });

  it('restarts for a second call during a read, and resolves both with the new objects', async () => {
    const { informer } = await synced(map('a', '5', before));
    const first = readAnew(informer);
    const broken = await bench.server.next();
    broken.open();
    broken.event('ADDED', map('a', '5', before));
    await bench.turns();
    const second = readAnew(informer);
    await bench.turns();
    expect([broken.isAborted, first.isDone, second.isDone]).toEqual([true, false, false]);
    await bench.answer('10', map('a', '5', after));
    expect([first.isDone, second.isDone]).toEqual([true, true]);
    expect(told).toHaveLength(1);
    expect(bench.server.exchanges).toHaveLength(3);
  });

  it('rejects when its signal is aborted, and the read continues', async () => {
    const { informer } = await synced(map('a', '5', before));
    const given = new AbortController();
    const reading = informer.readAnew(given.signal);
    given.abort(new Error('the controller stops'));
    await expect(reading).rejects.toThrow('the controller stops');
    await bench.answer('10', map('a', '5', after));
    expect(told).toHaveLength(1);
  });

  it('waits only for the permitted namespaces', async () => {
    const informer = bench.informer(told, { namespaces: ['granted', 'refused'] });
    bench.cache.start(bench.stop.signal);
    await bench.answer('10', map('a', '5', before, { namespace: 'granted' }));
    (await bench.server.next()).refuse(403, 'Forbidden');
    await bench.turns();
    told.length = 0;
    const reading = readAnew(informer);
    await bench.turns();
    expect(reading.isDone).toBe(false);
    await bench.answer('10', map('a', '5', after, { namespace: 'granted' }));
    expect(reading.isDone).toBe(true);
    expect(told).toHaveLength(1);
  });

  it('does not reuse the old form of an object from another informer of the kind', async () => {
    const others: string[] = [];
    const informer = bench.informer(told, { labels: { app: 'web' } });
    const other = bench.informer(others, { labels: { tier: 'front' } });
    bench.cache.start(bench.stop.signal);
    const labels = { labels: { app: 'web', tier: 'front' } };
    await bench.answer('10', map('a', '5', before, labels));
    await bench.answer('10', map('a', '5', before, labels));
    expect(other.lister.get('default/a')).toBe(informer.lister.get('default/a'));
    readAnew(informer);
    await bench.answer('10', map('a', '5', after, labels));
    expect(informer.lister.get('default/a')?.data).toEqual(after);
    expect(other.lister.get('default/a')?.data).toEqual(before);
    readAnew(other);
    await bench.answer('10', map('a', '5', after, labels));
    // Held once again.
    expect(other.lister.get('default/a')).toBe(informer.lister.get('default/a'));
    for (const log of [told, others]) expect(log.at(-1)).toBe('updated a@5 undefined to a@5 red relisted');
  });
});
