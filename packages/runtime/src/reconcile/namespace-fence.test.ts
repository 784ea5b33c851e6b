import { type Logger, type LogKeys, ObjectKey, SilentLogger } from '@evenkeel/core';
import { ConfigMap, Namespace, SubjectAccessReview } from '@evenkeel/kinds';
import type { Informer } from '../cache/index.ts';
import { NamespaceFence } from './namespace-fence.ts';
import { RunLister } from './run-lister.ts';
import type { RunReach } from './run-reach.ts';
import { RunWrites } from './run-writes.ts';
import { scriptedClient } from './scripted-client.fixture.ts';
import { WriteRecorder } from './write-recorder.ts';

/** Records the warnings. */
class Warnings extends SilentLogger {
  readonly lines: LogKeys[] = [];

  override warn(_message?: string, keys: LogKeys = {}): void {
    this.lines.push(keys);
  }

  override child(): Logger {
    return this;
  }
}

const map = (namespace: string): ConfigMap =>
  Object.assign(new ConfigMap(), { metadata: { name: 'x', namespace }, data: {} });

/** The parts of a manager: a client, listers, and runs. */
function setUp() {
  const recorder = new WriteRecorder({
    find: () => undefined,
    seen: () => undefined,
    allGone: () => undefined,
  } as never);
  const logger = new Warnings();
  const fence = new NamespaceFence(recorder, logger);
  const { client, sent } = scriptedClient(() => ({ status: 200, body: map('shop') }), {
    interceptors: [fence.interceptor],
  });
  const cached = ['shop', 'bank'].map(map);
  const informer = (namespaced: boolean): Informer<ConfigMap> =>
    ({
      resource: { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced },
      lister: {
        get: (key: ObjectKey | string) =>
          cached.find(({ metadata }) => String(ObjectKey.of({ metadata })) === String(key)),
        list: () => cached,
        byIndex: () => cached,
      },
    }) as unknown as Informer<ConfigMap>;
  const lister = new RunLister(informer(true), recorder, fence);
  const clusterLister = new RunLister(informer(false), recorder, fence);
  const run = <T>(act: () => T, reach?: RunReach): T =>
    recorder.collect(new RunWrites(), () => {
      if (reach !== undefined) fence.hold(reach);
      return act();
    });
  return { client, sent, lister, clusterLister, run, warnings: logger.lines };
}

const reach: RunReach = { controller: 'website', key: new ObjectKey('blog', 'shop'), namespace: 'shop' };
const fix =
  'use that namespace, or, if the creator of the object may choose the namespace, set { acrossNamespaces: true } in @Controller';
const refused = (what: string): object => ({
  code: 'outside-of-namespace',
  message: `website: the run for shop/blog cannot use ${what}: it is restricted to the namespace shop; ${fix}`,
});

describe('NamespaceFence for an injected client', () => {
  it('restricts the client to the namespace of the run, and does not send rejected requests', async () => {
    const { client, sent, run } = setUp();
    const through = 'an injected Client to';
    await expect(run(() => client.get(ConfigMap, 'bank/x'), reach)).rejects.toMatchObject(
      refused(`${through} read ConfigMap bank/x`),
    );
    await expect(run(() => client.list(ConfigMap), reach)).rejects.toMatchObject(
      refused(`${through} read a ConfigMap without specifying a namespace`),
    );
    await expect(run(() => client.delete(ConfigMap, 'bank/x'), reach)).rejects.toMatchObject(
      refused(`${through} write ConfigMap bank/x`),
    );
    await expect(run(() => client.create(Namespace, { metadata: { name: 'new' } }), reach)).rejects.toMatchObject(
      refused(`${through} write the cluster-scoped Namespace new`),
    );
    expect(sent).toEqual([]);
    await run(() => client.get(ConfigMap, 'shop/x'), reach);
    await run(() => client.get(Namespace, 'bank'), reach);
    await run(() => client.create(SubjectAccessReview, { metadata: {} } as never), reach);
    expect(sent).toHaveLength(3);
  });

  it('does not restrict the client outside of runs, in unrestricted runs, and in runs of another manager', async () => {
    const { client, sent, run } = setUp();
    const other = setUp();
    await client.get(ConfigMap, 'bank/x');
    await run(() => client.get(ConfigMap, 'bank/x'));
    await other.run(() => client.get(ConfigMap, 'bank/x'), reach);
    expect(sent).toHaveLength(3);
  });

  it('restricts work that the run has started, however late', async () => {
    const { client, sent, run } = setUp();
    const over = Promise.withResolvers<void>();
    const left = run(() => over.promise.then(() => client.get(ConfigMap, 'bank/x')), reach);
    over.resolve();
    await expect(left).rejects.toMatchObject({ code: 'outside-of-namespace' });
    await run(() => client.get(ConfigMap, 'other/x'), { ...reach, namespace: 'other' });
    expect(sent).toHaveLength(1);
  });
});

describe('NamespaceFence for an injected lister', () => {
  const through = 'a lister to read';

  it.each<[string, ObjectKey | string]>([
    ['ConfigMap bank/x', 'bank/x'],
    ['ConfigMap bank/x', new ObjectKey('x', 'bank')],
    ['ConfigMap shop-2/x', 'shop-2/x'],
    ['a ConfigMap without specifying a namespace', 'shop'],
    ['a ConfigMap without specifying a namespace', new ObjectKey('shop')],
  ])('rejects reading from another namespace: %s by %j', (what, key) => {
    const { lister, run } = setUp();
    expect(() => run(() => lister.get(key), reach)).toThrow(expect.objectContaining(refused(`${through} ${what}`)));
  });

  it('returns objects of the namespace to a run, and all objects to other callers', () => {
    const { lister, run } = setUp();
    for (const key of ['shop/x', new ObjectKey('x', 'shop')])
      expect(run(() => lister.get(key), reach)).toEqual(map('shop'));
    expect(run(() => lister.get('shop/missing'), reach)).toBeUndefined();
    expect(run(() => lister.list({ namespace: 'shop' }), reach)).toHaveLength(2);
    for (const free of [lister.get('bank/x'), run(() => lister.get('bank/x'))]) expect(free).toEqual(map('bank'));
    expect([lister.list().length, run(() => lister.list()).length]).toEqual([2, 2]);
  });

  it('rejects listing another namespace or all namespaces in a run', () => {
    const { lister, run } = setUp();
    expect(() => run(() => lister.list(), reach)).toThrow(
      expect.objectContaining(refused(`${through} a ConfigMap without specifying a namespace`)),
    );
    expect(() => run(() => lister.list({ namespace: 'bank' }), reach)).toThrow(
      expect.objectContaining(refused(`${through} ConfigMap bank/*`)),
    );
  });

  it('omits objects of other namespaces from an index in a run, and logs this once', () => {
    const { lister, run, warnings } = setUp();
    const names = (): string[] => lister.byIndex('of', 'x').map(({ metadata }) => metadata.namespace ?? '');
    expect([names(), run(names), run(names, reach), run(names, reach)]).toEqual([
      ['shop', 'bank'],
      ['shop', 'bank'],
      ['shop'],
      ['shop'],
    ]);
    expect(warnings).toEqual([{ controller: 'website', lister: 'configmaps', index: 'of' }]);
  });

  it('returns all objects of a cluster-scoped kind to a run', () => {
    const { clusterLister: lister, run, warnings } = setUp();
    expect(run(() => [lister.list().length, lister.byIndex('of', 'x').length, lister.get('bank/x')], reach)).toEqual([
      2,
      2,
      map('bank'),
    ]);
    expect(warnings).toEqual([]);
  });
});
