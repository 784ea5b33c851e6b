import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, provider } from 'evenkeel';
import { Dns, Site, SiteController, services } from './inject-guide.fixture.ts';

class FakeDns extends Dns {
  readonly hosts: string[] = [];

  async add(host: string): Promise<string> {
    this.hosts.push(host);
    return `record of ${host}`;
  }
}

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Site, await readSources('test/inject-guide.fixture.ts'));
  environment = await Environment.create({ definitions: [definition] });
});

afterAll(() => environment?.close());

it('creates the record of a site', async () => {
  const dns = new FakeDns();
  await environment.run(async (connection) => {
    const overrides = [provider({ provide: Dns, useValue: dns })];
    const manager = await createManager({ ...connection, controllers: [SiteController], services, overrides });
    await manager.start();
    return manager;
  });
  const namespace = await environment.createNamespace();
  await environment.client.create(Site, { metadata: { name: 'blog', namespace }, spec: { host: 'blog.example.com' } });
  await environment.eventually(async () => {
    const { status } = await environment.client.get(Site, `${namespace}/blog`);
    expect(status?.record).toBe('record of blog.example.com');
  });
  expect(dns.hosts).toContain('blog.example.com');
});
