import { createClient } from '@evenkeel/client';
import { EvenkeelError, Logger, type LogKeys, ManualClock, SeededRandom } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { Cache } from './cache.ts';
import type { Informer } from './informer.ts';
import { type Exchange, ScriptedServer } from './scripted-server.fixture.ts';

class RecordingLogger extends Logger {
  readonly lines: string[] = [];
  readonly debugLines: string[] = [];
  debug(message: string, keys?: LogKeys): void {
    this.debugLines.push(`${message}: ${String((keys?.['error'] as Error | undefined)?.message)}`);
  }
  info(): void {}
  warn(message: string, keys?: LogKeys): void {
    this.lines.push(`${message}: ${String((keys?.['error'] as Error | undefined)?.message)}`);
  }
  error(message: string, keys?: LogKeys): void {
    this.warn(message, keys);
  }
  child(): Logger {
    return this;
  }
}

interface Bench {
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  readonly cache: Cache;
  readonly informer: Informer<ConfigMap>;
  /** The changes that the handler received. */
  readonly told: string[];
  readonly logger: RecordingLogger;
  readonly stop: AbortController;
}

/** An informer of ConfigMaps with a scripted server. The random seed is fixed; no test depends on it. */
function start(namespaces?: string[]): Bench {
  const server = new ScriptedServer();
  const clock = new ManualClock();
  const logger = new RecordingLogger();
  const client = createClient(server, { clock });
  const cache = new Cache({ client, clock, random: new SeededRandom(1), logger });
  const informer = cache.informer(ConfigMap, { namespaces });
  const told: string[] = [];
  const short = (object: ConfigMap): string => `${object.metadata.name}@${object.metadata.resourceVersion}`;
  informer.addHandler({
    added: (object, isInitial) => told.push(`added ${short(object)}${isInitial ? ' initially' : ''}`),
    updated: (object, previous) => told.push(`updated ${short(previous)} to ${short(object)}`),
    deleted: (object, isUnknown) => told.push(`deleted ${short(object)}${isUnknown ? ' unseen' : ''}`),
  });
  const stop = new AbortController();
  cache.start(stop.signal);
  return { server, clock, cache, informer, told, logger, stop };
}

/** A ConfigMap in the form of the server. */
function map(name: string, resourceVersion: string, uid = `uid of ${name}`): Record<string, unknown> {
  const metadata = { name, namespace: 'default', uid, resourceVersion, managedFields: [{ manager: 'kubectl' }] };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { version: resourceVersion } };
}

const list = (resourceVersion: string, items: unknown[], more?: string): object => ({
  kind: 'ConfigMapList',
  apiVersion: 'v1',
  metadata: { resourceVersion, continue: more },
  items: items.map((item) => ({ ...(item as object), kind: undefined, apiVersion: undefined })),
});

/** Completes the first sync with a WatchList of `a` at 5. Returns the watch, which continues. */
async function synced(bench: Bench): Promise<Exchange> {
  const watch = await bench.server.next();
  watch.open();
  watch.event('ADDED', map('a', '5'));
  watch.endOfInitialEvents('10');
  await bench.informer.waitForSync();
  bench.told.length = 0;
  return watch;
}

const names = (bench: Bench): string[] => bench.informer.lister.list().map(({ metadata }) => metadata.name);

/** Runs all callbacks of settled promises, without advancing the time. */
const settle = (bench: Bench): Promise<void> => bench.clock.advance(0);

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

describe('the first sync', () => {
  it('requests objects and changes in one watch, and stores the objects together after the bookmark', async () => {
    const bench = start();
    const watch = await bench.server.next();
    expect(watch.request.path.split('?')[0]).toBe('/api/v1/configmaps');
    expect(Object.fromEntries(watch.query)).toMatchObject({
      watch: 'true',
      sendInitialEvents: 'true',
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: 'true',
    });
    expect(watch.query.has('resourceVersion')).toBe(false);
    expect(Number(watch.query.get('timeoutSeconds'))).toBeGreaterThanOrEqual(300);
    expect(Number(watch.query.get('timeoutSeconds'))).toBeLessThan(600);
    watch.open();
    watch.event('ADDED', map('a', '5'));
    watch.event('ADDED', map('b', '3'));
    watch.bookmark('7');
    await settle(bench);
    expect(bench.told).toEqual([]);
    expect(bench.informer.health.synced).toBe(false);
    watch.endOfInitialEvents('10');
    await bench.informer.waitForSync();
    expect(bench.told).toEqual(['added a@5 initially', 'added b@3 initially']);
    expect(bench.informer.health).toMatchObject({ synced: true, lastSyncResourceVersion: '10', problem: undefined });
    watch.event('MODIFIED', map('a', '11'));
    await settle(bench);
    expect(bench.told.slice(2)).toEqual(['updated a@5 to a@11']);
    expect(bench.server.exchanges).toHaveLength(1);
  });

  it.each([
    [422, 'Invalid'],
    [400, 'BadRequest'],
    [500, 'InternalError'],
  ])(
    'lists in pages if the server responds to a WatchList with %d, and watches from the version of the list',
    async (code, reason) => {
      const bench = start();
      (await bench.server.next()).refuse(code, reason);
      const first = await bench.server.next();
      expect(first.isWatch).toBe(false);
      expect(first.query.get('limit')).toBe('500');
      first.json(list('10', [map('a', '5')], 'more'));
      const second = await bench.server.next();
      expect(second.query.get('continue')).toBe('more');
      second.json(list('10', [map('b', '6')]));
      const watch = await bench.server.next();
      expect(bench.told).toEqual(['added a@5 initially', 'added b@6 initially']);
      expect(watch.query.get('resourceVersion')).toBe('10');
      expect(watch.query.has('sendInitialEvents')).toBe(false);
      expect(bench.informer.lister.get('default/a')).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    },
  );

  it('lists everything at once if the version of the pages expires meanwhile', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    (await bench.server.next()).json(list('10', [map('a', '5')], 'more'));
    (await bench.server.next()).refuse(410, 'Expired');
    const whole = await bench.server.next();
    expect([whole.query.get('limit'), whole.query.get('continue')]).toEqual([null, null]);
    whole.json(list('20', [map('b', '15')]));
    await bench.informer.waitForSync();
    expect(names(bench)).toEqual(['b']);
  });

  it('lists if the server treats the WatchList as a plain watch and never sends the final bookmark', async () => {
    const bench = start();
    const watch = await bench.server.next();
    watch.open();
    watch.event('ADDED', map('a', '5'));
    await bench.clock.advance(70_000);
    expect(watch.isAborted).toBe(true);
    (await bench.server.next()).json(list('10', [map('a', '5')]));
    await bench.informer.waitForSync();
    expect(names(bench)).toEqual(['a']);
  });

  it.each([
    ['there is no response', (watch: Exchange) => watch.fail(refused())],
    ['the server is busy (429)', (watch: Exchange) => watch.refuse(429, 'TooManyRequests')],
    ['the watch ends before it has sent all', (watch: Exchange) => watch.json({})],
  ] as const)('waits and requests a WatchList again, without a list, if %s', async (_, answer) => {
    const bench = start();
    answer(await bench.server.next());
    await settle(bench);
    expect(bench.server.untaken).toBe(0);
    expect(bench.informer.health.problem).toBeDefined();
    await bench.clock.advance(799);
    expect(bench.server.untaken).toBe(0);
    await bench.clock.advance(801);
    const again = await bench.server.next();
    expect(again.query.get('sendInitialEvents')).toBe('true');
    again.open();
    again.endOfInitialEvents('10');
    await bench.informer.waitForSync();
    expect(bench.informer.health.problem).toBeUndefined();
  });

  it('retries within 2 s if a kind is newly served and the server must fill its own cache first', async () => {
    const bench = start();
    for (let attempt = 0; attempt < 8; attempt++) {
      (await bench.server.next()).refuse(404, 'NotFound');
      await settle(bench);
      await bench.clock.advance(2000);
    }
    (await bench.server.next()).json(
      {
        kind: 'Status',
        status: 'Failure',
        message: 'storage is (re)initializing',
        reason: 'TooManyRequests',
        code: 429,
        details: { retryAfterSeconds: 1 },
      },
      429,
    );
    await settle(bench);
    await bench.clock.advance(2000);
    expect(bench.server.untaken).toBe(1);
  });

  it.each([
    [404, 'NotFound', 'missing'],
    [403, 'Forbidden', 'forbidden'],
  ])(
    'retries within 2 s, without a list, after status %d, reports the problem, and recovers',
    async (code, reason, problem) => {
      const bench = start();
      const seen: (string | undefined)[] = [];
      bench.informer.onHealth((health) =>
        seen.push(health.problem?.reason ?? (health.synced ? 'synced' : 'connected')),
      );
      for (let attempt = 0; attempt < 8; attempt++) {
        const refused = await bench.server.next();
        expect(refused.query.get('sendInitialEvents')).toBe('true');
        refused.refuse(code, reason);
        await settle(bench);
        expect(bench.server.untaken).toBe(0);
        expect(bench.informer.health).toMatchObject({ synced: false, problem: { reason: problem } });
        await bench.clock.advance(2000);
      }
      const watch = await bench.server.next();
      watch.open();
      watch.endOfInitialEvents('10');
      await bench.informer.waitForSync();
      expect(seen).toEqual([problem, 'connected', 'synced']);
    },
  );

  it('reports for each watch the times of its last data and progress, and its restarts after silence', async () => {
    const bench = start();
    const watch = await synced(bench);
    const startMs = bench.clock.monotonic();
    const facts = () => bench.informer.health.watches[0];
    expect(facts()).toMatchObject({ synced: true, lastProgressMs: startMs, lastBookmarkMs: undefined, restarts: 0 });
    await bench.clock.advance(10_000);
    watch.event('MODIFIED', map('a', '11'));
    await settle(bench);
    expect(facts()).toMatchObject({ lastHeardMs: startMs + 10_000, lastProgressMs: startMs + 10_000 });
    await bench.clock.advance(5000);
    watch.bookmark('12');
    await settle(bench);
    const progress = { lastProgressMs: startMs + 15_000, lastBookmarkMs: startMs + 15_000 };
    expect(facts()).toMatchObject(progress);
    await bench.clock.advance(71_600);
    expect(facts()).toMatchObject({ ...progress, restarts: 1, problem: { reason: 'unreachable' } });
    (await bench.server.next()).refuse(403, 'Forbidden');
    await settle(bench);
    expect(facts()).toMatchObject({ ...progress, lastHeardMs: startMs + 86_600, restarts: 1 });
  });

  it('rejects an HTML page of a proxy instead of a list, and reports what it received', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    const listing = await bench.server.next();
    listing.open();
    listing.bytes('<html><body>Log in</body></html>');
    listing.end();
    await settle(bench);
    expect(bench.informer.health).toMatchObject({ synced: false, problem: { reason: 'refused' } });
    await bench.clock.advance(1600);
    expect((await bench.server.next()).query.get('sendInitialEvents')).toBe('true');
  });

  it('skips and reports an item of a list that cannot be decoded', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    const listing = await bench.server.next();
    listing.json({ items: [map('a', '5'), { metadata: {} }, map('b', '6')], metadata: { resourceVersion: '10' } });
    await bench.informer.waitForSync();
    expect(names(bench)).toEqual(['a', 'b']);
    expect(bench.logger.lines.at(-1)).toContain('an object without a name');
  });

  it('lists if the server treats the WatchList as an endless plain watch', async () => {
    const bench = start();
    const watch = await bench.server.next();
    watch.open();
    watch.event('ADDED', map('a', '5'));
    watch.bookmark('6');
    await bench.clock.advance(60_000);
    watch.bookmark('8');
    const listing = await bench.server.next();
    expect([watch.isAborted, listing.isWatch]).toEqual([true, false]);
    listing.json(list('10', [map('a', '5')]));
    await bench.informer.waitForSync();
    expect(names(bench)).toEqual(['a']);
  });

  it('logs every 10 s that the final bookmark is missing', async () => {
    const bench = start();
    const watch = await bench.server.next();
    watch.open();
    await bench.clock.advance(9_999);
    expect(bench.logger.lines).toEqual([]);
    await bench.clock.advance(20_001);
    expect(bench.logger.lines).toHaveLength(3);
    expect(bench.logger.lines[0]).toContain('the server has not yet confirmed that it has sent all objects');
    watch.endOfInitialEvents('10');
    await bench.informer.waitForSync();
    await bench.clock.advance(30_000);
    expect(bench.logger.lines).toHaveLength(3);
  });

  it('restarts an interrupted sync from the beginning, because initial objects arrive in no order', async () => {
    const bench = start();
    const watch = await bench.server.next();
    watch.open();
    watch.event('ADDED', map('a', '50'));
    watch.event('ADDED', map('b', '5'));
    watch.break(refused());
    await settle(bench);
    expect(bench.told).toEqual([]);
    await bench.clock.advance(1600);
    const again = await bench.server.next();
    expect([again.query.get('sendInitialEvents'), again.query.has('resourceVersion')]).toEqual(['true', false]);
  });

  it('lists the latest objects, never those of a server cache', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    const listing = await bench.server.next();
    expect([listing.query.has('resourceVersion'), listing.query.has('resourceVersionMatch')]).toEqual([false, false]);
  });

  it('retries if credentials are unavailable, and reports the reason', async () => {
    const bench = start();
    const gone = new EvenkeelError('credentials-unavailable', 'its exec plugin gave no credentials');
    (await bench.server.next()).fail(gone);
    await settle(bench);
    expect(bench.informer.health.problem).toEqual({ reason: 'unauthorized', error: gone });
    await bench.clock.advance(1600);
    expect((await bench.server.next()).query.get('sendInitialEvents')).toBe('true');
  });

  it('logs one line per attempt for an unreachable server, and ends at once when it is stopped', async () => {
    const bench = start();
    for (let attempt = 1; attempt <= 5; attempt++) {
      (await bench.server.next()).fail(refused());
      await settle(bench);
      expect(bench.logger.debugLines).toEqual(Array(attempt).fill('cannot watch: connect ECONNREFUSED'));
      await bench.clock.advance(30_000);
    }
    const hanging = await bench.server.next();
    const fromMs = bench.clock.monotonic();
    bench.stop.abort();
    await bench.cache.stopped();
    expect([hanging.isAborted, bench.clock.monotonic() - fromMs, bench.clock.pending]).toEqual([true, 0, 0]);
    expect(bench.logger.lines).toEqual([]);
  });

  it('waits 0.8 to 30 s, longer after each failure', async () => {
    const bench = start();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 8; attempt++) {
      (await bench.server.next()).fail(refused());
      await settle(bench);
      const from = bench.clock.monotonic();
      while (bench.server.untaken === 0) await bench.clock.advance(100);
      waits.push(bench.clock.monotonic() - from);
    }
    expect(waits[0]).toBeGreaterThanOrEqual(800);
    expect(waits[0]).toBeLessThanOrEqual(1700);
    expect(Math.max(...waits)).toBeGreaterThan(15_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(30_100);
  });
});

describe('a watch', () => {
  it('is continued from the last version, including bookmarks, without a list, if the server ends it', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', map('a', '12'));
    watch.bookmark('15');
    watch.end();
    const next = await bench.server.next();
    expect(next.isWatch).toBe(true);
    expect(next.query.get('resourceVersion')).toBe('15');
    expect(next.query.has('sendInitialEvents')).toBe(false);
    expect(bench.told).toEqual(['updated a@5 to a@12']);
  });

  it('is continued after a delay if it ended at once without an event', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.end();
    await settle(bench);
    expect(bench.server.untaken).toBe(0);
    await bench.clock.advance(1600);
    expect((await bench.server.next()).query.get('resourceVersion')).toBe('10');
  });

  it.each([
    ['breaks', (watch: Exchange) => watch.break(refused())],
    ['sends 429', (watch: Exchange) => watch.event('ERROR', { kind: 'Status', code: 429, reason: 'TooManyRequests' })],
    ['sends 500', (watch: Exchange) => watch.event('ERROR', { kind: 'Status', code: 500, reason: 'InternalError' })],
  ] as const)('is continued from the last version, after a delay, if it %s', async (_, fail) => {
    const bench = start();
    const watch = await synced(bench);
    fail(watch);
    await settle(bench);
    expect(bench.server.untaken).toBe(0);
    await bench.clock.advance(1600);
    const next = await bench.server.next();
    expect([next.isWatch, next.query.get('resourceVersion'), next.query.has('sendInitialEvents')]).toEqual([
      true,
      '10',
      false,
    ]);
    expect(names(bench)).toEqual(['a']);
  });

  it.each([
    ['there is no response', (watch: Exchange) => watch.fail(refused())],
    ['the server is busy (429)', (watch: Exchange) => watch.refuse(429, 'TooManyRequests')],
    ['the server fails (500)', (watch: Exchange) => watch.refuse(500, 'InternalError')],
    ['a gateway fails (502)', (watch: Exchange) => watch.refuse(502, '')],
  ] as const)(
    'is requested again from the last version, after a delay and without a list, if %s',
    async (_, answer) => {
      const bench = start();
      const watch = await synced(bench);
      watch.event('MODIFIED', map('a', '12'));
      watch.end();
      answer(await bench.server.next());
      await settle(bench);
      expect(bench.server.untaken).toBe(0);
      await bench.clock.advance(1600);
      const next = await bench.server.next();
      expect([next.isWatch, next.query.get('resourceVersion'), next.query.has('sendInitialEvents')]).toEqual([
        true,
        '12',
        false,
      ]);
      expect(names(bench)).toEqual(['a']);
    },
  );

  it.each([
    [5, 5000],
    [3600, 60_000],
  ])('is requested again only after the %d s of Retry-After, or a minute', async (retryAfterSeconds, waitMs) => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', map('a', '12'));
    watch.end();
    const refusal = { kind: 'Status', status: 'Failure', code: 429, reason: 'TooManyRequests' };
    (await bench.server.next()).json({ ...refusal, details: { retryAfterSeconds } }, 429);
    await settle(bench);
    await bench.clock.advance(waitMs - 1);
    expect(bench.server.untaken).toBe(0);
    await bench.clock.advance(1);
    (await bench.server.next()).refuse(429, 'TooManyRequests');
    await settle(bench);
    await bench.clock.advance(3200);
    expect(bench.server.untaken).toBe(1);
  });

  it('is requested with bookmarks and for a random time of 5 to 10 minutes', async () => {
    const bench = start();
    let watch = await synced(bench);
    const seconds = new Set<number>();
    for (let at = 0; at < 10; at++) {
      watch.event('MODIFIED', map('a', String(20 + at)));
      watch.end();
      watch = await bench.server.next();
      watch.open();
      expect(watch.query.get('allowWatchBookmarks')).toBe('true');
      seconds.add(Number(watch.query.get('timeoutSeconds')));
    }
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(300);
    expect(Math.max(...seconds)).toBeLessThan(600);
    expect(seconds.size).toBeGreaterThan(5);
  });

  it('uses only the version of a bookmark, which resolves waits for a write', async () => {
    const bench = start();
    const watch = await synced(bench);
    const waiting = bench.informer.waitForWrite('default/other', '30');
    watch.bookmark('30');
    await waiting;
    expect(bench.told).toEqual([]);
    expect(bench.informer.health.lastSyncResourceVersion).toBe('30');
  });

  it('is restarted if it receives nothing for 70 s, and kept while it receives bookmarks', async () => {
    const bench = start();
    const watch = await synced(bench);
    await bench.clock.advance(69_000);
    watch.bookmark('20');
    await bench.clock.advance(69_000);
    expect(watch.isAborted).toBe(false);
    await bench.clock.advance(2000);
    expect(watch.isAborted).toBe(true);
    expect(bench.informer.health.problem?.reason).toBe('unreachable');
    await bench.clock.advance(1600);
    expect((await bench.server.next()).query.get('resourceVersion')).toBe('20');
  });

  it('is followed by a new sync if the next one is silent too, as with a server that was restored from older data', async () => {
    const bench = start();
    await synced(bench);
    await bench.clock.advance(71_000);
    await bench.clock.advance(1600);
    const second = await bench.server.next();
    expect(second.query.get('sendInitialEvents')).toBeNull();
    second.open();
    await bench.clock.advance(71_000);
    await bench.clock.advance(3200);
    const again = await bench.server.next();
    expect(again.query.get('sendInitialEvents')).toBe('true');
    expect(bench.informer.size).toBeGreaterThan(0);
  });

  it.each([
    ['is rejected with 410', true],
    ['is ended by 410', false],
  ])('that %s causes a new sync, during which the cache keeps its objects', async (_, isRefused) => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('ADDED', map('b', '11'));
    await settle(bench);
    if (isRefused) {
      watch.end();
      (await bench.server.next()).refuse(410, 'Expired');
    } else watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await settle(bench);
    await bench.clock.advance(1600);
    const again = await bench.server.next();
    expect([again.query.get('sendInitialEvents'), again.query.get('resourceVersion')]).toEqual(['true', '11']);
    bench.told.length = 0;
    again.open();
    again.event('ADDED', map('b', '11'));
    again.event('ADDED', map('c', '30'));
    await settle(bench);
    expect(names(bench)).toEqual(['a', 'b']);
    again.endOfInitialEvents('40');
    await settle(bench);
    expect(names(bench)).toEqual(['b', 'c']);
    expect(bench.told).toEqual(['deleted a@5 unseen', 'added c@30']);
  });

  it.each([
    ['no longer has', (sync: Exchange) => sync.refuse(410, 'Expired')],
    ['has not reached', (sync: Exchange) => sync.refuse(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge' }])],
  ] as const)(
    'is followed by a request for the latest version at once if the server %s the last one',
    async (_, answer) => {
      const bench = start();
      const watch = await synced(bench);
      watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
      await settle(bench);
      await bench.clock.advance(1600);
      answer(await bench.server.next());
      await settle(bench);
      const again = await bench.server.next();
      expect(again.query.has('resourceVersion')).toBe(false);
      again.open();
      again.endOfInitialEvents('3');
      await settle(bench);
      expect(names(bench)).toEqual([]);
      expect(bench.informer.health.lastSyncResourceVersion).toBe('3');
    },
  );

  it('is rejected if its versions decrease, because the server was restarted with older data', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.bookmark('4');
    await settle(bench);
    await bench.clock.advance(1600);
    const again = await bench.server.next();
    expect([again.query.get('sendInitialEvents'), again.query.has('resourceVersion')]).toEqual(['true', false]);
  });

  it('causes a new sync, after a delay, if the server rejects it permanently', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', map('a', '12'));
    watch.end();
    (await bench.server.next()).refuse(403, 'Forbidden');
    await settle(bench);
    expect(bench.informer.health).toMatchObject({ synced: true, problem: { reason: 'forbidden' } });
    expect(bench.server.untaken).toBe(0);
    await bench.clock.advance(1600);
    expect((await bench.server.next()).query.get('sendInitialEvents')).toBe('true');
    expect(names(bench)).toEqual(['a']);
  });

  it('continues after a line that cannot be decoded, and reports it with the name in it', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.bytes('{"type":"ADDED","object":{"metadata":{"name":"broken","namespace":"default"\n');
    watch.bytes('{"type":"ADDED","object":{"kind":"Table","rows":[]}}\n');
    watch.event('ADDED', map('b', '12'));
    await settle(bench);
    expect(bench.told).toEqual(['added b@12']);
    expect(bench.logger.lines).toHaveLength(2);
    expect(bench.logger.lines[0]).toContain('default/broken');
  });

  it('reports both changes of an object that was deleted and created again, by its uid', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', map('a', '20', 'another'));
    watch.event('DELETED', map('a', '21', 'another'));
    watch.event('DELETED', map('unknown', '22'));
    await settle(bench);
    expect(bench.told).toEqual(['deleted a@5 unseen', 'added a@20', 'deleted a@21']);
  });

  it('reports both changes of an object that was deleted and created again in a gap, deletions first', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('ADDED', map('b', '11'));
    watch.event('ADDED', map('c', '12'));
    watch.event('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await settle(bench);
    bench.told.length = 0;
    await bench.clock.advance(1600);
    const again = await bench.server.next();
    again.open();
    again.event('ADDED', map('a', '30', 'another'));
    again.event('ADDED', map('b', '31'));
    again.endOfInitialEvents('40');
    await bench.informer.waitForWrite('default/a', '40');
    expect(bench.told).toEqual(['deleted c@12 unseen', 'deleted a@5 unseen', 'added a@30', 'updated b@11 to b@31']);
  });

  it('changes the store before it calls a handler', async () => {
    const bench = start();
    const watch = await synced(bench);
    const seen: unknown[] = [];
    bench.informer.addHandler({
      updated: (object) => seen.push(bench.informer.lister.get('default/a') === object),
      deleted: () => seen.push(bench.informer.lister.get('default/a')),
    });
    watch.event('MODIFIED', map('a', '12'));
    watch.event('DELETED', map('a', '13'));
    await settle(bench);
    expect(seen).toEqual([true, undefined]);
  });

  it('reports each version only once', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', map('a', '12'));
    watch.event('MODIFIED', map('a', '12'));
    await settle(bench);
    expect(bench.told).toEqual(['updated a@5 to a@12']);
  });
});

const metadata = (fields: object): object => ({ metadata: { name: 'odd', namespace: 'default', ...fields } });

describe.each<[string, unknown]>([
  ['of another kind', { ...map('odd', '7'), kind: 'Secret' }],
  ['of another version', { ...map('odd', '7'), apiVersion: 'v2' }],
  ['whose name is a number', metadata({ name: 7 })],
  ['whose name is empty', metadata({ name: '' })],
  ['whose metadata is a string', { metadata: 'odd' }],
  ['whose namespace is a list', metadata({ namespace: ['default'] })],
  ['whose uid is a number', metadata({ uid: 7 })],
  ['whose resourceVersion is a number', metadata({ resourceVersion: 7 })],
  ['whose labels are a string', metadata({ labels: 'a=b' })],
  ['whose annotations are null', metadata({ annotations: null })],
  ['whose ownerReferences are an object', metadata({ ownerReferences: {} })],
  ['whose finalizers are a string', metadata({ finalizers: 'one' })],
  ['that is null', null],
  ['that is a list', [1]],
])('an object %s', (_, odd) => {
  const isNamed = /"name":"odd","namespace":"default"/.test(JSON.stringify(odd));

  it('is reported, with its key if it has one, and does not stop a watch', async () => {
    const bench = start();
    const watch = await synced(bench);
    watch.event('MODIFIED', odd);
    watch.event('ADDED', map('b', '12'));
    await settle(bench);
    expect(bench.told).toEqual(['added b@12']);
    expect(bench.logger.lines).toHaveLength(1);
    expect(bench.logger.lines[0]).toContain('skipped a watch event that cannot be read: an object ');
    if (isNamed) expect(bench.logger.lines[0]).toContain('that name default/odd');
  });

  it('is reported, with its key if it has one, and does not stop a list', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    (await bench.server.next()).json({
      metadata: { resourceVersion: '10' },
      items: [map('a', '5'), odd, map('b', '6')],
    });
    await bench.informer.waitForSync();
    expect(names(bench)).toEqual(['a', 'b']);
    expect(bench.logger.lines).toHaveLength(1);
    if (isNamed) expect(bench.logger.lines[0]).toContain('that name default/odd');
  });
});

it('reports lines of a watch that are not events, and continues after them', async () => {
  const bench = start();
  const watch = await synced(bench);
  for (const line of ['null', '[]', '7', '{"type":7}', '{"kind":"Status"}', '{"type":"BOOKMARK"}', 'x', '{']) {
    watch.bytes(`${line}\n`);
  }
  watch.event('ADDED', map('b', '12'));
  await settle(bench);
  expect(bench.told).toEqual(['added b@12']);
  // A bookmark without a version has no effect and is valid.
  expect(bench.logger.lines).toHaveLength(7);
});

describe('stopping', () => {
  it('ends an open watch and opens nothing more', async () => {
    const bench = start();
    const watch = await synced(bench);
    bench.stop.abort();
    await bench.cache.stopped();
    expect(watch.isAborted).toBe(true);
    await bench.clock.advance(100_000);
    expect(bench.server.exchanges).toHaveLength(1);
    expect(bench.clock.pending).toBe(0);
  });

  it('opens no watch after an active list', async () => {
    const bench = start();
    (await bench.server.next()).refuse(422, 'Invalid');
    const listing = await bench.server.next();
    bench.stop.abort();
    listing.json(list('10', [map('a', '5')]));
    await bench.cache.stopped();
    expect(bench.server.exchanges).toHaveLength(2);
    expect(bench.told).toEqual([]);
  });

  it('ends a delay', async () => {
    const bench = start();
    (await bench.server.next()).fail(refused());
    await settle(bench);
    bench.stop.abort();
    await bench.cache.stopped();
    expect(bench.clock.pending).toBe(0);
  });
});

it('opens one watch for each namespace of its scope, and no cluster-wide one', async () => {
  const bench = start(['one', 'two']);
  const [first, second] = [await bench.server.next(), await bench.server.next()];
  expect([first, second].map(({ request }) => request.path.split('?')[0])).toEqual([
    '/api/v1/namespaces/one/configmaps',
    '/api/v1/namespaces/two/configmaps',
  ]);
  first.open();
  first.endOfInitialEvents('10');
  await settle(bench);
  expect(bench.informer.health.synced).toBe(false);
  second.open();
  second.endOfInitialEvents('8');
  await settle(bench);
  expect(bench.informer.health).toMatchObject({ synced: true, lastSyncResourceVersion: '8' });
  expect(() => bench.informer.lister.get('three/a')).toThrow(/contains only the namespaces one, two/);
});
