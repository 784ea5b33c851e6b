import { EvenkeelError } from '@evenkeel/core';
import { list, map, names, refused, settle, start, synced } from './reflector.fixture.ts';
import type { Exchange } from './scripted-server.fixture.ts';

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
