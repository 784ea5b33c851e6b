import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CustomResourceDefinition, createManager, findCondition, ignoreNotFound, Job } from 'evenkeel';
import { MemHog } from './memhog.ts';
import { podMetrics } from './memory-metrics.ts';
import { operator } from './operator.ts';

let environment: Environment;

/** The API of the metrics-server as a custom resource, so that the test can store measurements. */
const metricsDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: {
    name: `${podMetrics.plural}.${podMetrics.group}`,
    annotations: { 'api-approved.kubernetes.io': 'unapproved, only for a test' },
  },
  spec: {
    group: podMetrics.group,
    scope: 'Namespaced',
    names: { plural: podMetrics.plural, kind: podMetrics.kind },
    versions: [
      {
        name: podMetrics.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
} as unknown as CustomResourceDefinition;

beforeAll(async () => {
  const sources = await readSources(`${import.meta.dirname}/memhog.ts`);
  const definitions = [await customResourceDefinitionOf(MemHog, sources), metricsDefinition];
  environment = await Environment.create({ kind: 'embedded', definitions, clock: new HurriedClock() });
});
afterAll(() => environment?.close());

/** Runs a program, and another one with more memory. */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const hog = `${namespace}/hog`;
  const use = (job: string, memory: string): Promise<unknown> =>
    client.create(podMetrics, {
      metadata: { name: job, namespace, labels: { 'batch.kubernetes.io/job-name': job } },
      containers: [{ name: 'hog', usage: { cpu: '5m', memory } }],
    } as never);
  const recommended = (recommendation: string): Promise<void> =>
    eventually(async () => {
      const { status } = await client.get(MemHog, hog);
      expect(status?.recommendation).toBe(recommendation);
      expect(findCondition(status?.conditions, 'Complete')).toMatchObject({ reason: 'Completed' });
    });
  await use('hog-1', '102400Ki');
  await use('hog-2', '200Mi');
  await client.create(MemHog, { metadata: { name: 'hog', namespace }, spec: { memory: '96Mi', duration: '1m' } });
  await recommended('115Mi');
  await client.patch(MemHog, hog, { merge: { spec: { memory: '192Mi' } } });
  await recommended('230Mi');
  await eventually(async () => expect(await ignoreNotFound(client.get(Job, `${namespace}/hog-1`))).toBeUndefined());
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
