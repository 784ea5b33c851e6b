import { map, names, refused, settle, start, synced } from './reflector.fixture.ts';
import type { Exchange } from './scripted-server.fixture.ts';

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
