import { readFileSync } from 'node:fs';
import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment, HurriedClock, type SweepRound, verifyOperator } from '@evenkeel/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createManager, Deployment, findCondition, ignoreNotFound, Job, Lease } from 'evenkeel';
import { Backup, Restart, Upgrade } from './operations.ts';
import { operator } from './operator.ts';

let environment: Environment;

beforeAll(async () => {
  const sources = await readSources(`${import.meta.dirname}/operations.ts`);
  const definitions = [];
  for (const kind of [Restart, Upgrade, Backup]) definitions.push(await customResourceDefinitionOf(kind, sources));
  environment = await Environment.create({ kind: 'embedded', definitions, clock: new HurriedClock() });
});
afterAll(() => environment?.close());

type Kind = typeof Restart | typeof Upgrade | typeof Backup;

/**
 * Cancels a Restart that waits for an Upgrade, and then the Upgrade, which is taken back. A Backup that waited too succeeds. Each is deleted
 * when it has ended. The generation of the Deployment counts its changes, so that none is made twice.
 */
async function scenario({ client, namespace, eventually }: SweepRound): Promise<void> {
  const create = (kind: Kind, name: string, spec: object): Promise<unknown> => {
    const all = { deployment: 'web', ttlAfterFinished: '0s', ...spec };
    return client.create(kind, { metadata: { name, namespace }, spec: all } as never);
  };
  const gone = (kind: Kind, name: string): Promise<void> =>
    eventually(async () => {
      expect(await ignoreNotFound(client.get(kind as typeof Restart, `${namespace}/${name}`))).toBeUndefined();
    });
  const waiting = (kind: Kind, name: string): Promise<void> =>
    eventually(async () => {
      const { status } = await client.get(kind as typeof Restart, `${namespace}/${name}`);
      expect(findCondition(status?.conditions, 'Succeeded')).toMatchObject({ reason: 'Waiting' });
    });
  const cancel = (kind: Kind, name: string): Promise<unknown> =>
    client.patch(kind as typeof Restart, `${namespace}/${name}`, { merge: { spec: { cancel: true } } });
  const web = `${namespace}/web`;
  const changed = (generation: number, image: string): Promise<void> =>
    eventually(async () => {
      const { metadata, spec } = await client.get(Deployment, web);
      expect([metadata.generation, spec?.template.spec?.containers[0]?.image]).toEqual([generation, image]);
    });
  const labels = { app: 'web' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'nginx:1' }] } };
  const selector = { matchLabels: labels };
  await client.create(Deployment, { metadata: { name: 'web', namespace }, spec: { replicas: 1, selector, template } });
  await eventually(async () => expect((await client.get(Deployment, web)).status?.availableReplicas).toBe(1));
  await client.patch(Deployment, web, { merge: { spec: { paused: true } } });
  await create(Upgrade, 'upgrade', { image: 'nginx:2' });
  await changed(3, 'nginx:2');
  await create(Restart, 'restart', {});
  await waiting(Restart, 'restart');
  await create(Backup, 'backup', { image: 'busybox:1', command: ['true'], claim: 'backups' });
  await waiting(Backup, 'backup');
  await cancel(Restart, 'restart');
  await gone(Restart, 'restart');
  await cancel(Upgrade, 'upgrade');
  await gone(Upgrade, 'upgrade');
  await changed(4, 'nginx:1');
  await gone(Backup, 'backup');
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
    kinds: [Restart, Upgrade, Backup, Job, Lease, Deployment],
    // Its conditions and its uid differ.
    mask: (object) => {
      if (object instanceof Deployment) object.status = {};
    },
    concurrency: 8,
    quiet: '40ms',
  });
  expect(readFileSync(`${import.meta.dirname}/../README.md`, 'utf8')).toContain(lines.join('\n'));
}, 300_000);
