import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, Deployment, ignoreNotFound } from 'evenkeel';
import { Foo } from './foo.ts';
import { operator } from './operator.ts';

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Foo, await readSources(`${import.meta.dirname}/foo.ts`));
  environment = await Environment.create({ kind: 'embedded', definitions: [definition], clock: new HurriedClock() });
});
afterAll(() => environment?.close());

/** Creates a Foo, gives its Deployment another name, and scales it. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const available = (deployment: string, replicas: number): Promise<void> =>
    eventually(async () => {
      const { status } = await client.get(Deployment, `${namespace}/${deployment}`);
      expect(status?.availableReplicas).toBe(replicas);
      expect((await client.get(Foo, `${namespace}/web`)).status?.availableReplicas).toBe(replicas);
    });
  const spec = { deploymentName: 'first', replicas: 1 };
  await client.create(Foo, { metadata: { name: 'web', namespace }, spec });
  await available('first', 1);
  await client.patch(Foo, `${namespace}/web`, { merge: { spec: { deploymentName: 'second' } } });
  await available('second', 1);
  await eventually(async () => {
    expect(await ignoreNotFound(client.get(Deployment, `${namespace}/first`))).toBeUndefined();
  });
  // Pods start one at a time, so that each run of the scenario has the same writes of the status.
  await client.patch(Foo, `${namespace}/web`, { merge: { spec: { replicas: 2 } } });
  await available('second', 2);
}

it('passes all sweeps with exactly its roles, as the README reports', async () => {
  const { lines } = await verifyOperator({
    environment,
    declaration: operator,
    operator: async (connection) => {
      const manager = await createManager({ ...operator, ...connection });
      await manager.start();
      return manager;
    },
    scenario,
    concurrency: 8,
    quiet: '40ms',
  });
  expect(readFileSync(`${import.meta.dirname}/../README.md`, 'utf8')).toContain(lines.join('\n'));
}, 300_000);
