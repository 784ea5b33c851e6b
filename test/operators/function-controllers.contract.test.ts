import { ObjectKey } from '@evenkeel/core';
import { ConfigMap, Secret } from '@evenkeel/kinds';
import { injectable, postConstruct } from 'inversify';
import { controllerFor } from '../../packages/runtime/src/builder/controller-for.ts';
import { listerOf } from '../../packages/runtime/src/builder/injected.ts';
import { describeOnEveryServer } from '../api-backend.fixture.ts';
import { TestOperator } from './operator.fixture.ts';

@injectable()
class Names {
  prefix = '';

  @postConstruct()
  async open(): Promise<void> {
    this.prefix = 'for-';
  }
}

describeOnEveryServer('a controller of plain functions', (start) => {
  it('maps, indexes, owns and reconciles with its injected values, and is named in errors', async () => {
    const found: string[] = [];
    const copier = controllerFor(Secret, { name: 'copier' })
      .inject({ names: Names, secrets: listerOf(Secret) })
      .owns(ConfigMap)
      .index('wanted', ({ data }, { names }) => Object.keys(data ?? {}).map((name) => `${names.prefix}${name}`))
      .watches(ConfigMap, function sourceOf({ metadata }, { names, secrets }) {
        if (metadata.name === 'odd') throw new Error('an odd one');
        return secrets.byIndex('wanted', `${names.prefix}${metadata.name}`).map(ObjectKey.of);
      })
      .reconcile(async function copy({ metadata, data }, context, { names, secrets }) {
        if (data?.['broken'] !== undefined) return 5 as never;
        for (const name of Object.keys(data ?? {})) {
          found.push(...secrets.byIndex('wanted', `${names.prefix}${name}`).map((secret) => secret.metadata.name));
          const source = await context.client.get(ConfigMap, new ObjectKey(name, 'default')).catch(() => undefined);
          await context.apply<ConfigMap>({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: `${metadata.name}-${name}` },
            data: source?.data ?? {},
          });
        }
        return undefined;
      });
    const backend = await start();
    const operator = await TestOperator.start(backend, [copier], { services: [Names] });
    const { client, warnings } = operator;
    const copied = async (): Promise<string | undefined> =>
      (await client.get(ConfigMap, new ObjectKey('one-page', 'default')).catch(() => undefined))?.data?.['text'];
    try {
      const metadata = { name: 'one', namespace: 'default' };
      await client.create(Secret, { metadata, data: { page: 'eA==' } } as never);
      await operator.until('the first run', () => operator.outcomes('one').length > 0);
      expect(found).toContain('one');
      await client.create(ConfigMap, { metadata: { name: 'odd', namespace: 'default' } });
      await client.create(ConfigMap, { metadata: { name: 'page', namespace: 'default' }, data: { text: 'hello' } });
      await operator.until('the copy', async () => (await copied()) === 'hello');
      await client.create(Secret, { metadata: { ...metadata, name: 'two' }, data: { broken: 'eA==' } } as never);
      await operator.until('the failure', () => operator.outcomes('two').includes('failed'));
      const messages = warnings.map(({ keys }) => `${keys['member'] ?? ''} ${(keys['error'] as Error)?.message}`);
      expect(messages).toContain('controllerFor(Secret, "copier").sourceOf an odd one');
      expect(messages).toContain(
        ` controllerFor(Secret, "copier").copy returned 5; return awaitChange(), requeueAfter('30s') or nothing`,
      );
    } finally {
      await operator.manager.stop();
      await backend.stop();
    }
  });
});
