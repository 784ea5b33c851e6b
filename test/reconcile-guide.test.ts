import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiServer } from '@evenkeel/apiserver';
import { declarationsOf } from '@evenkeel/core';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { eventually } from '@evenkeel/testing';
import {
  ConfigMap,
  CustomResourceDefinition,
  createClient,
  createManager,
  findCondition,
  ignoreNotFound,
  type Manager,
} from 'evenkeel';
import { injectable } from 'inversify';
import { root } from './imports.fixture.ts';
import { siteController } from './reconcile-functions.fixture.ts';
import { Dns, Site, SiteController } from './reconcile-guide.fixture.ts';

const guide = readFileSync(join(root, 'docs/reconcile.md'), 'utf8');

describe('the guide to reconciling', () => {
  it('shows the code of this test', () => {
    const [, code = ''] = /^```ts src\/site\.ts\n(.*?)^```$/ms.exec(guide) ?? [];
    expect(readFileSync(join(root, 'test/reconcile-guide.fixture.ts'), 'utf8')).toBe(code);
  });

  it('shows functions that declare the same as the class', () => {
    const [code] = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block);
    const tried = readFileSync(join(root, 'test/reconcile-functions.fixture.ts'), 'utf8');
    expect(tried.replace('./reconcile-guide.fixture.ts', './site.ts')).toBe(code);
    expect(declarationsOf(siteController)).toEqual(declarationsOf(SiteController));
    expect(Reflect.getMetadata('design:paramtypes', siteController)).toEqual([Dns]);
  });

  it.each([
    ['class', SiteController],
    ['functions', siteController],
  ])('has a %s that creates, prunes, repairs and cleans up', async (_, controller) => {
    const server = await ApiServer.create({ controllers: false });
    const transport = server.transport();
    const client = createClient(transport);
    let manager: Manager | undefined;
    const pages = async (): Promise<string[]> =>
      (await client.list(ConfigMap, { namespace: 'default', labels: { 'evenkeel.dev/controller': 'site' } })).items
        .map(({ metadata }) => metadata.name)
        .sort();
    try {
      await client.create(CustomResourceDefinition, (await customResourceDefinitionOf(Site)) as never);
      let dns: Dns | undefined;
      @injectable()
      class Holder {
        constructor(held: Dns) {
          dns = held;
        }
        async start(): Promise<void> {}
        async stop(): Promise<void> {}
      }
      manager = await createManager({
        transport,
        controllers: [controller],
        services: [Dns],
        runnables: [Holder],
      });
      await manager.start();
      await manager.waitUntilReady(AbortSignal.timeout(90_000));
      const spec = { host: 'blog.example.com', pages: ['about', 'home'] };
      await client.create(Site, { metadata: { name: 'blog', namespace: 'default' }, spec });
      await eventually(async () => expect(await pages()).toEqual(['blog-about', 'blog-home']));
      await eventually(async () => {
        const { status } = await client.get(Site, 'default/blog');
        expect(findCondition(status?.conditions, 'Available')?.message).toBe('2 pages');
      });
      expect([...(dns?.records ?? [])]).toEqual([['blog.example.com', 'blog']]);
      await client.patch(Site, 'default/blog', { merge: { spec: { pages: ['home'] } } });
      await eventually(async () => expect(await pages()).toEqual(['blog-home']));
      dns?.records.clear();
      dns?.events.emit('lost', 'blog', 'default');
      await eventually(() => expect(dns?.records.size).toBe(1));
      await client.delete(Site, 'default/blog');
      await eventually(async () => expect(await ignoreNotFound(client.get(Site, 'default/blog'))).toBeUndefined());
      expect(dns?.records.size).toBe(0);
    } finally {
      await manager?.stop();
      await server.close();
    }
  });
});
