import { Controller, ObjectKey, Owns, Reconcile } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';
import { type ApiBackend, describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

/** Claims the ConfigMaps that have a label with its name; an annotation selects another label. */
@Controller(Secret, { name: 'claims' })
@Owns(ConfigMap)
class ClaimController {
  @Reconcile()
  async reconcile({ metadata: { name, annotations } }: Secret, context: ReconcileContext): Promise<void> {
    if (!name.startsWith('claim')) return;
    await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-applied` } } as ConfigMap);
    const claimed = await context.claim(ConfigMap, { matchLabels: { set: annotations?.['set'] ?? name } });
    const pruned = await context.prune();
    context.logger.warn('claimed', { names: claimed.map(({ metadata }) => metadata.name).sort(), pruned });
  }
}

@Controller(Secret, { name: 'greedy' })
@Owns(ConfigMap)
class GreedyController {
  @Reconcile()
  async reconcile({ metadata: { name } }: Secret, context: ReconcileContext): Promise<void> {
    if (name === 'greedy') await context.claim(ConfigMap, {});
  }
}

describeOnEveryServer('context.claim', (start) => {
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

  it('adopts matching objects without a controller, releases objects that no longer match, and keeps prune from deleting them', async () => {
    operator = await TestOperator.start(backend, [ClaimController]);
    const { client, warnings } = operator;
    const map = (name: string, more: object = {}) =>
      client.create(ConfigMap, {
        metadata: { name, namespace: 'default', labels: { set: 'claim' }, ...more },
      });
    const owner = async (name: string): Promise<string> => {
      const { metadata } = await client.get(ConfigMap, `default/${name}`);
      const references = (metadata.ownerReferences ?? []).map((reference) => reference.name);
      return [...references, metadata.labels?.['evenkeel.dev/controller'] ?? 'unlabelled'].join(' ');
    };
    const stranger = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      name: 'stranger',
      uid: '00000000-0000-0000-0000-000000000001',
      controller: true,
    };
    const friend = { ...stranger, name: 'friend', uid: '00000000-0000-0000-0000-000000000002', controller: false };
    await map('orphan');
    await map('shared', { ownerReferences: [friend] });
    await map('taken', { ownerReferences: [stranger] });
    await map('unrelated', { labels: { set: 'other' } });
    await client.create(Secret, { metadata: { name: 'claim', namespace: 'default' } });
    const logged = () => warnings.filter(({ message }) => message === 'claimed').map(({ keys }) => keys['names']);
    // The cache may receive the Secret before or after the objects that it claims.
    await operator.until('both claimed', () => String(logged().at(-1)) === 'orphan,shared');
    expect(await owner('orphan')).toBe('claim claims');
    expect(await owner('shared')).toBe('friend claim claims');
    expect(await owner('taken')).toBe('stranger unlabelled');
    expect(await owner('unrelated')).toBe('unlabelled');
    expect(await owner('claim-applied')).toBe('claim claims');

    await client.patch(ConfigMap, 'default/orphan', { merge: { metadata: { labels: { set: 'other' } } } });
    await operator.until('the release', async () => (await owner('orphan')) === 'unlabelled');
    expect(await owner('shared')).toBe('friend claim claims');
    expect(await owner('claim-applied')).toBe('claim claims');

    await client.patch(Secret, 'default/claim', { merge: { metadata: { annotations: { set: 'other' } } } });
    await operator.until('the others', async () => (await owner('unrelated')) === 'claim claims');
    await operator.until('what was let go', async () => (await owner('shared')) === 'friend unlabelled');
    await operator.until('what is taken back', async () => (await owner('orphan')) === 'claim claims');
    expect(warnings.filter(({ keys }) => ((keys['pruned'] as unknown[]) ?? []).length > 0)).toEqual([]);
    expect(operator.manager.health.lateWrites).toBe(0);
  });

  it('rejects a selector that selects everything', async () => {
    operator = await TestOperator.start(backend, [GreedyController]);
    await operator.client.create(Secret, { metadata: { name: 'greedy', namespace: 'default' } });
    await operator.until('the failure', () => operator?.outcomes('greedy').includes('failed') === true);
    const [run] = operator.runs.filter(({ key }) => String(key) === String(new ObjectKey('greedy', 'default')));
    expect(String(run?.error)).toContain(
      'greedy: claim() of ConfigMap: the selector matches everything; select by at least one label',
    );
  });
});
