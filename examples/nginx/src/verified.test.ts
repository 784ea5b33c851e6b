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
  environment = await Environment.create({ kind: 'embedded', definitions: [definition], clock: new HurriedClock() });
});
afterAll(() => environment?.close());

/** Creates an Nginx before its page exists, and then creates and changes the page. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const kept = `${namespace}/kept`;
  const rolledOut = (page: string): Promise<void> =>
    eventually(async () => {
      const { metadata, spec, status } = await client.get(Deployment, kept);
      expect(spec?.template.metadata?.annotations?.['web.example.com/page-hash']).toBe(page);
      expect(status).toMatchObject({ replicas: 2, updatedReplicas: 2, readyReplicas: 2, terminatingReplicas: 0 });
      expect(status?.observedGeneration).toBe(metadata.generation);
      const nginx = await client.get(Nginx, kept);
      const message = '2 of 2 pods are ready';
      expect(findCondition(nginx.status?.conditions, 'Progressing')).toMatchObject({ status: 'False', message });
    });
  await client.create(Nginx, {
    metadata: { name: 'kept', namespace },
    spec: { replicaCount: 2, pageConfigMap: 'page' } as Nginx['spec'],
  });
  await eventually(async () => {
    const { status } = await client.get(Nginx, kept);
    expect(findCondition(status?.conditions, 'Degraded')?.reason).toBe('PageNotFound');
  });
  await client.create(ConfigMap, { metadata: { name: 'page', namespace }, data: { 'index.html': 'one' } });
  await rolledOut('5a0d29c6acb8a2f1');
  await client.patch(ConfigMap, `${namespace}/page`, { merge: { data: { 'index.html': 'two' } } });
  await rolledOut('87ab3ece3f928aeb');
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
  // How many states of the Deployment the operator sees, and writes to the status, depends on the speed of the machine.
  const counted = (text: string): string =>
    text.replace(/^(crash|fault) sweep: .*$/gm, (line) => line.replace(/\d+/g, 'N'));
  const readme = readFileSync(`${import.meta.dirname}/../README.md`, 'utf8');
  expect(counted(readme)).toContain(counted(lines.join('\n')));
}, 300_000);
