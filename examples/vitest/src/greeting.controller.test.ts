import { readFile } from 'node:fs/promises';
import { crashSweep, Environment, type OperatorConnection } from '@evenkeel/testing';
import { ConfigMap, type CustomResourceDefinition, createManager, type Manager } from 'evenkeel';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { Dictionary } from './dictionary.ts';
import { GreetingController } from './greeting.controller.ts';
import { Greeting } from './greeting.ts';

const crd = 'config/crd/hello.example.com_greetings.yaml';
const definitions = [parse(await readFile(crd, 'utf8')) as CustomResourceDefinition];

async function createEnvironment(): Promise<Environment> {
  const environment = await Environment.create({ definitions });
  onTestFinished(() => environment.close());
  return environment;
}

async function operator(connection: OperatorConnection): Promise<Manager> {
  const manager = await createManager({ ...connection, controllers: [GreetingController], services: [Dictionary] });
  await manager.start();
  return manager;
}

it('greets in a ConfigMap, and changes the language', async () => {
  const environment = await createEnvironment();
  await environment.run(operator);
  const { client } = environment;
  const namespace = await environment.createNamespace();
  const text = async () => (await client.get(ConfigMap, `${namespace}/world`)).data?.text;
  const spec = { name: 'Monde', language: 'en', frame: { width: 2 } } as const;
  await client.create(Greeting, { metadata: { name: 'world', namespace }, spec });
  await environment.eventually(async () => expect(await text()).toBe('**Hello, Monde!**'));
  await client.patch(Greeting, `${namespace}/world`, { merge: { spec: { language: 'fr' } } });
  await environment.eventually(async () => expect(await text()).toBe('**Bonjour, Monde!**'));
});

it('reaches the same state wherever it crashes', { timeout: 120_000 }, async () => {
  const { writes, idleWrites } = await crashSweep({
    environment: await createEnvironment(),
    operator,
    scenario: async ({ client, namespace, eventually }) => {
      const spec = { name: 'World', language: 'en' } as const;
      await client.create(Greeting, { metadata: { name: 'world', namespace }, spec });
      await eventually(async () => {
        const { status } = await client.get(Greeting, `${namespace}/world`);
        expect(status?.conditions?.[0]?.status).toBe('True');
      });
    },
    kinds: [Greeting, ConfigMap],
  });
  expect(writes.length).toBeGreaterThan(1);
  expect(idleWrites).toEqual([]);
});
