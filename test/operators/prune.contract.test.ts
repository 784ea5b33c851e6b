import { Controller, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** Exactly one ConfigMap for each name in the data. */
@Controller(Secret, { name: 'sets' })
@Owns(ConfigMap)
class SetController {
  @Reconcile()
  async reconcile(secret: Secret, context: ReconcileContext): Promise<void> {
    for (const name of Object.keys(secret.data ?? {})) {
      const map: ConfigMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } };
      await context.apply(map);
    }
    const listed = (await context.prune(ConfigMap, { dryRun: true })).map(({ metadata }) => metadata.name);
    const pruned = (await context.prune()).map(({ metadata }) => metadata.name);
    context.logger.warn('pruned', { listed, pruned });
  }
}

describeOnEveryServer('context.prune', (start) => {
  it('deletes the children that are no longer applied, and no other objects', async () => {
    const backend = await start();
    const operator = await TestOperator.start(backend, [SetController]);
    const { client } = operator;
    const names = async (): Promise<string[]> =>
      (await client.list(ConfigMap, { namespace: 'default' })).items
        .map(({ metadata }) => metadata.name)
        .filter((name) => !name.startsWith('kube-'));
    try {
      await client.create(ConfigMap, { metadata: { name: 'bystander', namespace: 'default' } });
      const labels = { 'evenkeel.dev/controller': 'sets' };
      await client.create(ConfigMap, { metadata: { name: 'labelled', namespace: 'default', labels } });
      const data = { a: 'eA==', b: 'eA==' };
      await client.create(Secret, { metadata: { name: 'one', namespace: 'default' }, data } as never);
      await client.create(Secret, { metadata: { name: 'two', namespace: 'default' }, data: { c: 'eA==' } } as never);
      await operator.until('the children', async () => (await names()).length === 5);
      await client.patch(Secret, 'default/one', { merge: { data: { a: null } } });
      await operator.until('a to go', async () => !(await names()).includes('a'));
      expect(await names()).toEqual(['b', 'bystander', 'c', 'labelled']);
      const logged = () =>
        operator.warnings.flatMap(({ message, keys }) =>
          message === 'pruned' && (keys['pruned'] as string[]).length > 0 ? [keys] : [],
        );
      await operator.until('the logged run', () => logged().length > 0);
      expect(logged()).toEqual([{ listed: ['a'], pruned: ['a'] }]);
      expect(operator.manager.health.lateWrites).toBe(0);
    } finally {
      await operator.manager.stop();
      await backend.stop();
    }
  });
});
