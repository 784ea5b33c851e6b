import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { eventually } from '@evenkeel/testing';
import {
  ConfigMap,
  CustomResourceDefinition,
  createClient,
  createManager,
  Deployment,
  findCondition,
  ignoreNotFound,
  Job,
  type KubernetesObject,
  type Manager,
  Secret,
  StatefulSet,
} from 'evenkeel';
import { Guide } from './guide.fixture.ts';
import { root } from './imports.fixture.ts';
import { Shop, ShopController } from './own-children-guide.fixture.ts';
import { Login, LoginController } from './own-children-login.fixture.ts';

const guide = readFileSync(join(root, 'docs/own-children.md'), 'utf8');

describe('the guide to children', () => {
  it('shows the code of this test', () => {
    const [, code = ''] = /^```ts\n(import .*?)^```$/ms.exec(guide) ?? [];
    expect(readFileSync(join(root, 'test/own-children-guide.fixture.ts'), 'utf8')).toBe(code);
  });

  it('shows the code that generates a password once, which stays if the Secret loses its label', async () => {
    expect(readFileSync(join(root, 'test/own-children-login.fixture.ts'), 'utf8')).toBe(
      new Guide('own-children.md').files['src/login.ts'],
    );
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    const client = createClient(transport);
    await client.create(CustomResourceDefinition, await customResourceDefinitionOf(Login));
    const manager = await createManager({ transport, controllers: [LoginController], namespaces: ['default'] });
    try {
      await manager.start();
      await client.create(Login, { metadata: { name: 'tea', namespace: 'default' } });
      const key = 'default/tea-login';
      const password = async () => (await client.get(Secret, key)).data?.['password'];
      const generated = await eventually(async () => {
        const found = await ignoreNotFound(client.get(Secret, key));
        const decoded = Buffer.from(found?.data?.['password'] ?? '', 'base64').toString();
        expect(decoded).toMatch(/^[\w-]{32}$/);
        return found?.data?.['password'];
      });
      await client.patch(Secret, key, { merge: { metadata: { labels: null } } });
      await eventually(async () => {
        expect((await client.get(Secret, key)).metadata.labels).toEqual({ 'evenkeel.dev/controller': 'login' });
      });
      expect(await password()).toBe(generated);
    } finally {
      await manager.stop();
      await server.close();
    }
  });

  it('has code that opens and closes a shop in order', async () => {
    // No controller creates pods here; the test marks them as ready.
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    const client = createClient(transport);
    let manager: Manager | undefined;
    const children = async (): Promise<string> => {
      const found: string[] = [];
      for (const kind of [ConfigMap, StatefulSet, Job, Deployment] as (new () => KubernetesObject)[]) {
        const labels = { 'evenkeel.dev/controller': 'shop' };
        for (const { metadata } of (await client.list(kind, { namespace: 'default', labels })).items)
          found.push(metadata.name);
      }
      return found.sort().join();
    };
    try {
      await client.create(CustomResourceDefinition, (await customResourceDefinitionOf(Shop)) as never);
      manager = await createManager({ transport, controllers: [ShopController] });
      await manager.start();
      await manager.waitUntilReady(AbortSignal.timeout(90_000));
      await client.create(Shop, {
        metadata: { name: 'tea', namespace: 'default' },
        spec: { image: 'shop:1', cached: true },
      });
      await eventually(async () => expect(await children()).toBe('tea-cache,tea-database,tea-settings'));
      await eventually(async () => {
        const { status } = await client.get(Shop, 'default/tea');
        expect(findCondition(status?.conditions, 'DependentsReady')?.message).toBe(
          'database is not ready; migration waits for database; web waits for migration',
        );
      });
      await client
        .subresource(StatefulSet, 'default/tea-database', 'status')
        .patch({ merge: { status: { replicas: 1, readyReplicas: 1, observedGeneration: 1 } } });
      await eventually(async () => expect(await children()).toContain('tea-migrate-1'));
      const startTime = '2026-01-01T00:00:00Z';
      const done = { status: 'True', reason: 'Done', message: '', lastTransitionTime: startTime };
      const conditions = [
        { ...done, type: 'SuccessCriteriaMet' },
        { ...done, type: 'Complete' },
      ];
      await client
        .subresource(Job, 'default/tea-migrate-1', 'status')
        .patch({ merge: { status: { conditions, startTime, completionTime: startTime, succeeded: 1 } } });
      await eventually(async () =>
        expect(await children()).toBe('tea,tea-cache,tea-database,tea-migrate-1,tea-settings'),
      );
      await client.patch(Shop, 'default/tea', { merge: { spec: { cached: false } } });
      await eventually(async () => expect(await children()).toBe('tea,tea-database,tea-migrate-1,tea-settings'));
      await client.delete(Shop, 'default/tea');
      await eventually(async () => expect(await ignoreNotFound(client.get(Shop, 'default/tea'))).toBeUndefined());
      expect(await children()).toBe('');
    } finally {
      await manager?.stop();
      await server.close();
    }
  });
});
