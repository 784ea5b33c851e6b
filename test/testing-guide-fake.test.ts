import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { crashSweep, Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, provider } from 'evenkeel';
import { Dns, Site, SiteController } from './inject-guide.fixture.ts';

class FakeDns extends Dns {
  constructor(
    readonly records: Set<string>,
    readonly killed: AbortSignal,
  ) {
    super();
  }

  async add(host: string): Promise<string> {
    this.killed.throwIfAborted();
    this.records.add(host);
    return `record of ${host}`;
  }
}

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Site, await readSources('test/inject-guide.fixture.ts'));
  environment = await Environment.create({ definitions: [definition] });
});

afterAll(() => environment?.close());

it('creates the record of a site, wherever it crashes', async () => {
  const records = new Set<string>();
  await crashSweep({
    environment,
    operator: async (connection) => {
      const services = [provider({ provide: Dns, useValue: new FakeDns(records, connection.killed) })];
      const manager = await createManager({ ...connection, controllers: [SiteController], services });
      await manager.start();
      return manager;
    },
    scenario: async ({ client, namespace, eventually }) => {
      await client.create(Site, { metadata: { name: 'blog', namespace }, spec: { host: 'blog.example.com' } });
      await eventually(async () => {
        const { status } = await client.get(Site, `${namespace}/blog`);
        expect(status?.record).toBe('record of blog.example.com');
      });
    },
    kinds: [Site],
  });
  expect(records).toContain('blog.example.com');
}, 60_000);
