import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, RbacAudit } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, createManager } from 'evenkeel';
import { Greeting, GreetingController } from './greeting.fixture.ts';

const controllers = [GreetingController];
let environment: Environment;
let audit: RbacAudit;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Greeting, await readSources('test/greeting.fixture.ts'));
  environment = await Environment.create({ definitions: [definition] });
  audit = await RbacAudit.create({ transport: environment.transport, controllers });
  await environment.run(async (connection) => {
    const manager = await createManager({ ...connection, transport: audit.transport, controllers });
    await manager.start();
    return manager;
  });
});

// Also stops the manager, which would keep the test process running.
afterAll(() => environment?.close());

it('greets', async () => {
  const { client } = environment;
  const metadata = { name: 'hello', namespace: 'default' };
  await client.create(Greeting, { metadata, spec: { words: ['hello', 'world'] } });
  const map = await environment.eventually(() => client.get(ConfigMap, 'default/hello-world'));
  expect(map.metadata.ownerReferences?.[0]?.name).toBe('hello');
  await environment.eventually(async () => {
    expect((await client.get(Greeting, 'default/hello')).status?.said).toEqual(['hello', 'world']);
  });
});

it('has the permissions that it needs, and no others', () => {
  expect(audit.refused).toEqual([]); // names verb, resource and the decorator to add
  expect(audit.unusedDeclarations).toEqual([]); // names verb, resource and why it is there
});
