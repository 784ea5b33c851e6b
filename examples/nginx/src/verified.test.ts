import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ConfigMap, createManager, Deployment, findCondition } from 'evenkeel';
import { Nginx } from './nginx.ts';
import { operator } from './operator.ts';

let environment: Environment;

beforeAll(async () => {
  const definition = await customResourceDefinitionOf(Nginx, await readSources(`${import.meta.dirname}/nginx.ts`));
  environment = await Environment.create({
    ...{ kind: 'embedded', definitions: [definition], clock: new HurriedClock() },
    // How many states of a Deployment the operator sees would depend on the machine.
    controllers: { 'deployment-controller': false },
  });
});
afterAll(() => environment?.close());

/** Creates an Nginx before its page exists, and then creates and changes the page. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const kept = `${namespace}/kept`;
  const progressing = (status: 'True' | 'False', message: string): Promise<void> =>
    eventually(async () => {
      const nginx = await client.get(Nginx, kept);
      expect(findCondition(nginx.status?.conditions, 'Progressing')).toMatchObject({ status, message });
    });
  /** Rolls the Deployment out as its controller does, but in one step. */
  const rollOut = async (page: string, before: number): Promise<void> => {
    const generation = await eventually(async () => {
      const { metadata, spec } = await client.get(Deployment, kept);
      expect(spec?.template.metadata?.annotations?.['web.example.com/page-hash']).toBe(page);
      return metadata.generation;
    });
    await progressing('True', `${before} of 2 pods are ready`);
    const counts = { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 };
    const conditions = [
      { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: 'It is available.' },
    ];
    const merge = { status: { observedGeneration: generation, ...counts, conditions } };
    await client.subresource(Deployment, kept, 'status').patch({ merge });
    await progressing('False', '2 of 2 pods are ready');
  };
  await client.create(Nginx, {
    metadata: { name: 'kept', namespace },
    spec: { replicaCount: 2, pageConfigMap: 'page' } as Nginx['spec'],
  });
  await eventually(async () => {
    const { status } = await client.get(Nginx, kept);
    expect(findCondition(status?.conditions, 'Degraded')?.reason).toBe('PageNotFound');
    expect(status?.address).toBeDefined();
  });
  await client.create(ConfigMap, { metadata: { name: 'page', namespace }, data: { 'index.html': 'one' } });
  await rollOut('5a0d29c6acb8a2f1', 0);
  await client.patch(ConfigMap, `${namespace}/page`, { merge: { data: { 'index.html': 'two' } } });
  await rollOut('87ab3ece3f928aeb', 2);
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
    // Each Service gets an address of its own.
    mask: (object) => {
      if (object instanceof Nginx) object.status.address &&= 'an address';
    },
    concurrency: 8,
    quiet: '40ms',
  });
  expect(readFileSync(`${import.meta.dirname}/../README.md`, 'utf8')).toContain(lines.join('\n'));
}, 300_000);
