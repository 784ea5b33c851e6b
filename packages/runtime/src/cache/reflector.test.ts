import { list, map, names, refused, settle, start, synced } from './reflector.fixture.ts';

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
