import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, findCondition, ignoreNotFound, PersistentVolumeClaim, StorageClass } from 'evenkeel';
import { DemoVolume, type ReclaimPolicy } from './demo-volume.ts';
import { operator } from './operator.ts';

let environment: Environment;

beforeAll(async () => {
  const sources = await readSources(`${import.meta.dirname}/demo-volume.ts`);
  const definition = await customResourceDefinitionOf(DemoVolume, sources);
  environment = await Environment.create({ kind: 'embedded', definitions: [definition], clock: new HurriedClock() });
  const metadata = { name: 'expandable' };
  const provisioner = 'example.com/disks';
  await environment.client.create(StorageClass, { metadata, provisioner, allowVolumeExpansion: true });
});
afterAll(() => environment?.close());

/** Creates a volume and lets it grow. Deletes another one whose claim stays, and creates it again. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const create = (name: string, reclaimPolicy: ReclaimPolicy): Promise<unknown> => {
    const spec = { size: '1Gi', storageClassName: 'expandable', reclaimPolicy };
    return client.create(DemoVolume, { metadata: { name, namespace }, spec });
  };
  const available = (name: string, capacity: string): Promise<void> =>
    eventually(async () => {
      const { status } = await client.get(DemoVolume, `${namespace}/${name}`);
      expect(status?.capacity).toBe(capacity);
      expect(findCondition(status?.conditions, 'Progressing')).toMatchObject({ reason: 'SizeReached' });
    });
  await create('data', 'Delete');
  await available('data', '1Gi');
  await client.patch(DemoVolume, `${namespace}/data`, { merge: { spec: { size: '2Gi' } } });
  await available('data', '2Gi');
  await create('kept', 'Retain');
  await available('kept', '1Gi');
  const claim = await client.get(PersistentVolumeClaim, `${namespace}/kept`);
  await client.delete(DemoVolume, `${namespace}/kept`);
  await eventually(async () => {
    expect(await ignoreNotFound(client.get(DemoVolume, `${namespace}/kept`))).toBeUndefined();
  });
  await create('kept', 'Retain');
  await available('kept', '1Gi');
  expect((await client.get(PersistentVolumeClaim, `${namespace}/kept`)).metadata.uid).toBe(claim.metadata.uid);
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
