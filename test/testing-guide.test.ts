import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { crashSweep, Environment, faultSweep, type SweepOptions } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, createManager } from 'evenkeel';
import { Greeting, GreetingController } from './greeting.fixture.ts';

let environment: Environment;
let options: SweepOptions;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Greeting, await readSources('test/greeting.fixture.ts'));
  environment = await Environment.create({ definitions: [definition] });
  options = {
    environment,
    operator: async (connection) => {
      const manager = await createManager({ ...connection, controllers: [GreetingController] });
      await manager.start();
      return manager;
    },
    scenario: async ({ client, namespace, eventually }) => {
      const settled = (words: string[]) =>
        eventually(async () => {
          const { status } = await client.get(Greeting, `${namespace}/hello`);
          expect(status?.said).toEqual(words);
        });
      await client.create(Greeting, { metadata: { name: 'hello', namespace }, spec: { words: ['hello', 'world'] } });
      await settled(['hello', 'world']);
      await client.patch(Greeting, `${namespace}/hello`, { merge: { spec: { words: ['bye'] } } });
      await settled(['bye']);
    },
    kinds: [Greeting, ConfigMap],
  };
});

afterAll(() => environment?.close());

// A sweep runs the scenario dozens of times. Jest's 5 s are too short on a slow machine.
const timeoutMs = 120_000;

it(
  'reaches the same state wherever it crashes',
  async () => {
    const { writes, idleWrites } = await crashSweep(options);
    expect(writes.length).toBeGreaterThan(3);
    expect(idleWrites).toEqual([]);
  },
  timeoutMs,
);

it(
  'reaches the same state whichever call fails',
  async () => {
    await faultSweep({ ...options, faults: ['conflict', 'answer-lost'] });
  },
  timeoutMs,
);
