import { Controller, Finalizer, ignoreNotFound, ObjectKey, Owns, Reconcile, type Transport } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { faultEachWrite, faults } from './faulty-transport.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

let current = '';
let running = 0;
let overlapped = false;
let cleaned = 0;

/** A ConfigMap for each key of the data, and an external effect that the finalizer undoes. */
@Controller(Secret, { name: 'sets' })
@Owns(ConfigMap)
class SetController {
  @Reconcile()
  async reconcile({ metadata: { name }, data }: Secret, context: ReconcileContext): Promise<void> {
    if (name !== current) return;
    await this.alone(async () => {
      for (const key of Object.keys(data ?? {})) {
        await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-${key}` } } as ConfigMap);
      }
      await context.prune();
    });
  }

  @Finalizer('example.com/outside')
  async clean({ metadata: { name } }: Secret): Promise<void> {
    await this.alone(async () => {
      if (name === current) cleaned++;
    });
  }

  private async alone(work: () => Promise<void>): Promise<void> {
    overlapped ||= running > 0;
    running++;
    await work().finally(() => running--);
  }
}

describeOnEveryServer('an operator', (start, { overHttps }) => {
  let backend: ApiBackend;

  beforeAll(async () => {
    backend = await start();
  });

  afterAll(() => backend.stop());

  /** The life cycle of one object. */
  async function live(name: string, transport: Transport): Promise<void> {
    current = name;
    cleaned = 0;
    const operator = await TestOperator.start(backend, [SetController], { transport });
    const { client } = operator;
    const children = async (): Promise<string> =>
      (await client.list(ConfigMap, { namespace: 'default', labels: { 'evenkeel.dev/controller': 'sets' } })).items
        .filter(({ metadata }) => metadata.name.startsWith(`${name}-`) && metadata.deletionTimestamp === undefined)
        .map(({ metadata }) => metadata.name.slice(name.length + 1))
        .sort()
        .join();
    try {
      const key = new ObjectKey(name, 'default');
      const data = { a: 'eA==', b: 'eA==' };
      await client.create(Secret, { metadata: { name, namespace: 'default' }, data } as never);
      await operator.until('both children', async () => (await children()) === 'a,b');
      await client.patch(Secret, key, { merge: { data: { a: null } } });
      await operator.until('one child', async () => (await children()) === 'b');
      await operator.until('the finalizer on', async () => {
        return (await client.get(Secret, key)).metadata.finalizers?.join() === 'example.com/outside';
      });
      await client.delete(Secret, key);
      await operator.until('the end', async () => (await ignoreNotFound(client.get(Secret, key))) === undefined);
      await operator.until('its last run', () => operator.outcomes(name).at(-1) === 'gone');
      expect([overlapped, cleaned > 0]).toEqual([false, true]);
    } finally {
      await operator.manager.stop();
    }
  }

  it.each(Object.entries(faults))('reaches the same end state if one of its writes meets %s', async (_, faultOf) => {
    const writes = await faultEachWrite(backend, overHttps ? 'https' : 'memory', faultOf, live);
    expect(writes).toBeGreaterThanOrEqual(5);
  });
});
