import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, findCondition, ignoreNotFound } from 'evenkeel';
import { Memcached } from './memcached.ts';
import { operator } from './operator.ts';

let environment: Environment;

beforeAll(async () => {
  const sources = await readSources(`${import.meta.dirname}/memcached.ts`);
  const definition = await customResourceDefinitionOf(Memcached, sources);
  environment = await Environment.create({ kind: 'embedded', definitions: [definition], clock: new HurriedClock() });
});
afterAll(() => environment?.close());

/** Creates a Memcached, scales it, and deletes another one. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const available = (name: string, size: number): Promise<void> =>
    eventually(async () => {
      const { status } = await client.get(Memcached, `${namespace}/${name}`);
      const message = `${size} of ${size} pods are ready`;
      expect(findCondition(status?.conditions, 'Available')).toMatchObject({ status: 'True', message });
      expect(status?.nodes).toHaveLength(size);
    });
  await client.create(Memcached, { metadata: { name: 'kept', namespace }, spec: { size: 1 } as Memcached['spec'] });
  await available('kept', 1);
  await client.patch(Memcached, `${namespace}/kept`, { merge: { spec: { size: 2 } } });
  await available('kept', 2);
  await client.create(Memcached, { metadata: { name: 'deleted', namespace }, spec: { size: 1 } as Memcached['spec'] });
  await available('deleted', 1);
  await client.delete(Memcached, `${namespace}/deleted`);
  await eventually(async () => {
    expect(await ignoreNotFound(client.get(Memcached, `${namespace}/deleted`))).toBeUndefined();
  });
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
    // The names of pods are random.
    mask: (object) => {
      if (object instanceof Memcached) object.status.nodes = object.status.nodes?.map(() => 'a pod');
    },
    concurrency: 8,
    quiet: '40ms',
  });
  expect(readFileSync(`${import.meta.dirname}/../README.md`, 'utf8')).toContain(lines.join('\n'));
}, 300_000);
