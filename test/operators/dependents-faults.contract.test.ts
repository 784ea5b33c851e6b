import { Controller, Finalizer, ignoreNotFound, ObjectKey, Owns, Reconcile, type Transport } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { awaitChange, type ReconcileResult } from '../../packages/runtime/src/reconcile/reconcile-result.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { faultEachWrite, faults } from './faulty-transport.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

let current = '';
/** The observed violations: a child without the child that it needs. */
let mistakes: string[] = [];

/** Creates a database, then its user, while the Secret requests them; deletes the database last. */
@Controller(Secret, { name: 'pairs' })
@Owns(ConfigMap)
class PairController {
  @Reconcile()
  async reconcile(secret: Secret, context: ReconcileContext): Promise<void> {
    if (secret.metadata.name === current) await this.graph(secret, context).apply();
  }

  @Finalizer('example.com/in-order')
  async end(secret: Secret, context: ReconcileContext): Promise<ReconcileResult | undefined> {
    if (secret.metadata.name !== current) return undefined;
    const { ready } = await this.graph(secret, context).delete();
    return ready ? undefined : awaitChange();
  }

  private graph({ metadata: { name }, data }: Secret, context: ReconcileContext) {
    return context
      .dependents()
      .add('database', ConfigMap, () => ({ metadata: { name: `${name}-database` } }), {
        when: data?.['stopped'] === undefined,
      })
      .add(
        'user',
        ConfigMap,
        ({ database }) => ({
          metadata: { name: `${name}-user-${Buffer.from(data?.['version'] ?? '', 'base64')}` },
          data: { of: database.metadata.uid ?? '' },
        }),
        { needs: ['database'] },
      );
  }
}

describeOnEveryServer('a graph of dependents', (start, { overHttps }) => {
  let backend: ApiBackend;

  beforeAll(async () => {
    backend = await start();
  });

  afterAll(() => backend.stop());

  /** The life cycle of one object. */
  async function live(name: string, transport: Transport): Promise<void> {
    current = name;
    mistakes = [];
    const operator = await TestOperator.start(backend, [PairController], { transport });
    const { client } = operator;
    const key = new ObjectKey(name, 'default');
    const children = async (): Promise<string> => {
      const { items } = await client.list(ConfigMap, {
        namespace: 'default',
        labels: { 'evenkeel.dev/controller': 'pairs' },
      });
      const found = items
        .filter(({ metadata }) => metadata.name.startsWith(`${name}-`))
        .map(({ metadata }) => metadata.name.slice(name.length + 1))
        .sort()
        .join();
      if (found.startsWith('user')) mistakes.push(found);
      return found;
    };
    const until = (expected: string): Promise<void> =>
      operator.until(expected || 'nothing', async () => (await children()) === expected);
    try {
      await client.create(Secret, { metadata: { name, namespace: 'default' }, data: { version: 'MQ==' } } as never);
      await until('database,user-1');
      await client.patch(Secret, key, { merge: { data: { version: 'Mg==' } } });
      await until('database,user-2');
      await client.patch(Secret, key, { merge: { data: { stopped: 'eA==' } } });
      await until('');
      await client.patch(Secret, key, { merge: { data: { stopped: null } } });
      await until('database,user-2');
      await client.delete(Secret, key);
      await operator.until('the end', async () => (await ignoreNotFound(client.get(Secret, key))) === undefined);
      expect([await children(), mistakes]).toEqual(['', []]);
    } finally {
      await operator.manager.stop();
    }
  }

  /** The two possible effects of a fault in a write: it was never done, or it was done and the response was lost. */
  const sweeps = ['an internal error', 'a lost response'] as const;

  it.each(sweeps.map((name) => [name, faults[name]] as const))(
    'reaches the same end state if one of its writes meets %s',
    async (_, faultOf) => {
      const writes = await faultEachWrite(backend, overHttps ? 'https' : 'memory', faultOf, live);
      expect(writes).toBeGreaterThanOrEqual(10);
    },
  );
});
