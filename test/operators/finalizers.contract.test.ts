import { Controller, Finalizer, ignoreNotFound, Reconcile } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import {
  awaitChange,
  type ReconcileResult,
  requeueAfter,
} from '../../packages/runtime/src/reconcile/reconcile-result.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

const foreign = 'example.org/held';
const ours = ['example.com/record', 'example.com/bucket'];

describeOnEveryServer('finalizers', (start) => {
  let backend: ApiBackend;
  let operator: TestOperator | undefined;

  beforeAll(async () => {
    backend = await start();
  });

  afterEach(async () => {
    await operator?.manager.stop();
    operator = undefined;
  });

  afterAll(() => backend.stop());

  /** The calls of the methods below, and their next results. */
  let calls: string[];
  /** The calls for the object of the test. */
  let name: string;
  let script: ((call: string) => Promise<ReconcileResult | undefined> | ReconcileResult | undefined) | undefined;

  beforeEach(() => {
    calls = [];
    script = undefined;
  });

  @Controller(ConfigMap, { name: 'pages' })
  class PageController {
    @Reconcile()
    reconcile(map: ConfigMap): void {
      if (map.metadata.name !== name) return;
      calls.push(`reconcile ${map.metadata.finalizers?.join(' ')}`);
    }

    @Finalizer('example.com/bucket', { order: 2 })
    async emptyBucket(map: ConfigMap): Promise<ReconcileResult | undefined> {
      calls.push(`bucket ${map.metadata.finalizers?.join(' ')}`);
      return await script?.('bucket');
    }

    @Finalizer('example.com/record', { order: 1 })
    async removeRecord(map: ConfigMap, context: ReconcileContext): Promise<ReconcileResult | undefined> {
      calls.push(`record ${map.metadata.finalizers?.join(' ')} ${context.key}`);
      return await script?.('record');
    }
  }

  async function operating(): Promise<TestOperator> {
    operator = await TestOperator.start(backend, [PageController], { namespaces: ['default'] });
    return operator;
  }

  async function create(its: string, finalizers: string[] = []): Promise<void> {
    name = its;
    await operator?.client.create(ConfigMap, { metadata: { name, namespace: 'default', finalizers } });
  }

  const isGone = async (name: string): Promise<boolean> =>
    (await ignoreNotFound(operator?.client.get(ConfigMap, `default/${name}`) ?? Promise.resolve(undefined))) ===
    undefined;

  it('are all added before the first reconcile in one write, next to those of others', async () => {
    const { client, runs } = await operating();
    await create('added', [foreign]);
    await operator?.until('the reconcile', () => calls.length > 0);
    expect(calls).toEqual([`reconcile ${[foreign, ...ours].join(' ')}`]);
    expect((await client.get(ConfigMap, 'default/added')).metadata.finalizers).toEqual([foreign, ...ours]);
    await operator?.until('the run', () => operator?.outcomes('added').length === 1);
    expect(runs.find(({ key }) => key.name === 'added')?.writes.map(({ verb, changed }) => [verb, ...changed])).toEqual(
      [['patch', 'metadata.finalizers']],
    );
    await client.patch(ConfigMap, 'default/added', { merge: { metadata: { finalizers: ours } } });
    await client.delete(ConfigMap, 'default/added');
    await operator?.until('the object to go', () => isGone('added'));
  });

  it('run in order, are removed when they have finished, and leave those of others', async () => {
    const { client, manager } = await operating();
    await create('ordered', [foreign]);
    await operator?.until('the reconcile', () => calls.length === 1);
    await client.delete(ConfigMap, 'default/ordered');
    await operator?.until('the finalizers', () => operator?.outcomes('ordered').includes('deleting') === true);
    expect(calls.slice(1)).toEqual([
      `record ${[foreign, ...ours].join(' ')} default/ordered`,
      `bucket ${[foreign, 'example.com/bucket'].join(' ')}`,
    ]);
    expect((await client.get(ConfigMap, 'default/ordered')).metadata.finalizers).toEqual([foreign]);
    await client.patch(ConfigMap, 'default/ordered', { merge: { metadata: { finalizers: null } } });
    await operator?.until('the end', () => operator?.outcomes('ordered').at(-1) === 'gone');
    expect(calls).toHaveLength(3);
    expect(manager.health.lateWrites).toBe(0);
  });

  it('stay while the method throws, and are retried', async () => {
    const { client } = await operating();
    let failures = 2;
    script = (call) => {
      if (call === 'record' && failures-- > 0) throw new Error('the DNS server is away');
      return undefined;
    };
    await create('failing');
    await operator?.until('the reconcile', () => calls.length === 1);
    await client.delete(ConfigMap, 'default/failing');
    await operator?.until('the object to go', () => isGone('failing'));
    expect(calls.slice(1).map((call) => call.split(' ')[0])).toEqual(['record', 'record', 'record', 'bucket']);
    await operator?.until('the runs', () => operator?.outcomes('failing').includes('deleting') === true);
    expect(operator?.outcomes('failing').slice(0, 4)).toEqual(['await-change', 'failed', 'failed', 'deleting']);
  });

  it('stay while the method requests another run, after a time or after a change', async () => {
    const { client } = await operating();
    const results = [requeueAfter('20ms'), awaitChange()];
    script = (call) => (call === 'record' ? results.shift() : undefined);
    await create('waiting');
    await operator?.until('the reconcile', () => calls.length === 1);
    await client.delete(ConfigMap, 'default/waiting');
    await operator?.until('two calls', () => calls.length === 3);
    expect((await client.get(ConfigMap, 'default/waiting')).metadata.finalizers).toEqual(ours);
    await client.patch(ConfigMap, 'default/waiting', { merge: { data: { now: 'yes' } } });
    await operator?.until('the object to go', () => isGone('waiting'));
    await operator?.until('the run', () => operator?.outcomes('waiting').includes('deleting') === true);
    expect(operator?.outcomes('waiting').slice(0, 4)).toEqual([
      'await-change',
      'requeue-after',
      'await-change',
      'deleting',
    ]);
  });

  it('do not run for an object that was deleted before they were added', async () => {
    operator = await TestOperator.start(backend, [], {});
    const { client } = operator;
    await create('early', [foreign]);
    await client.delete(ConfigMap, 'default/early');
    await operator.manager.stop();
    await operating();
    await operator?.until('the run', () => operator?.outcomes('early').length === 1);
    expect([calls, operator?.outcomes('early')]).toEqual([[], ['deleting']]);
    expect((await client.get(ConfigMap, 'default/early')).metadata.finalizers).toEqual([foreign]);
    await client.patch(ConfigMap, 'default/early', { merge: { metadata: { finalizers: null } } });
  });

  it('are removed even if others write the list at the same time', async () => {
    const { client } = await operating();
    script = async (call) => {
      if (call !== 'record') return undefined;
      // When our finalizer is removed, its index of the cached list belongs to another one.
      await client.patch(ConfigMap, 'default/racing', { merge: { metadata: { finalizers: ours } } });
      return undefined;
    };
    await create('racing', [foreign]);
    await operator?.until('the reconcile', () => calls.length === 1);
    await client.delete(ConfigMap, 'default/racing');
    await operator?.until('the object to go', () => isGone('racing'));
    expect(calls.slice(1).map((call) => call.split(' ')[0])).toEqual(['record', 'bucket']);
  });

  it('never run at the same time as each other or a reconcile', async () => {
    const { client } = await operating();
    const released = Promise.withResolvers<void>();
    script = async (call) => {
      if (call === 'record') await released.promise;
      return undefined;
    };
    await create('single');
    await operator?.until('the reconcile', () => calls.length === 1);
    await client.delete(ConfigMap, 'default/single');
    await operator?.until('the first finalizer', () => calls.length === 2);
    await client.patch(ConfigMap, 'default/single', { merge: { data: { more: 'x' } } });
    await operator?.object(ConfigMap, 'single', ({ data }) => data?.['more'] === 'x');
    expect(calls).toHaveLength(2);
    released.resolve();
    await operator?.until('the object to go', () => isGone('single'));
    expect(calls).toHaveLength(3);
  });
});
