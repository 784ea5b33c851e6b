import { customResourceDefinitionOf, readSources } from '@evenkeel/schema';
import { Environment } from '@evenkeel/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createManager, Deployment, Event, ignoreNotFound } from 'evenkeel';
import { fields } from './fields.ts';
import { Foo } from './foo.ts';
import { operator } from './operator.ts';

describe('the foo operator', () => {
  let environment: Environment;
  let namespace: string;

  const key = (name: string): string => `${namespace}/${name}`;
  const eventually: Environment['eventually'] = (assertion) => environment.eventually(assertion, { timeout: '60s' });
  const create = (name: string, spec: Foo['spec']): Promise<unknown> =>
    environment.client.create(Foo, { metadata: { name, namespace }, spec });
  const available = (name: string, availableReplicas: number): Promise<void> =>
    eventually(async () => {
      const { status } = await environment.client.get(Foo, key(name));
      expect(status).toMatchObject({ availableReplicas });
    });
  /** Resolves when an Event about a Foo is recorded. */
  const recorded = (name: string, expected: object): Promise<void> =>
    eventually(async () => {
      const { items } = await environment.client.list(Event, { namespace });
      const events = items.filter(({ regarding }) => regarding?.kind === 'Foo' && regarding.name === name);
      expect(events).toContainEqual(expect.objectContaining(expected));
    });

  beforeAll(async () => {
    const definition = await customResourceDefinitionOf(Foo, await readSources(`${import.meta.dirname}/foo.ts`));
    environment = await Environment.create({ definitions: [definition] });
    namespace = await environment.createNamespace();
    await environment.run(async (connection) => {
      const manager = await createManager({ ...operator, ...connection, fields, namespaces: [namespace] });
      await manager.start();
      return manager;
    });
  }, 60_000);
  afterAll(() => environment?.close(), 60_000);

  it('runs a Deployment of the chosen name, scales it and reports its available pods', async () => {
    await create('web', { deploymentName: 'web-of-foo', replicas: 1 });
    await available('web', 1);
    const { metadata, spec } = await environment.client.get(Deployment, key('web-of-foo'));
    expect(metadata.ownerReferences).toMatchObject([{ kind: 'Foo', name: 'web', controller: true }]);
    expect(spec?.template.metadata?.labels).toEqual({ app: 'nginx', controller: 'web' });
    await recorded('web', { type: 'Normal', reason: 'Synced', note: 'Foo synced successfully' });
    await environment.client.patch(Foo, key('web'), { merge: { spec: { replicas: 3 } } });
    await available('web', 3);
  });

  it('reverts a change of its Deployment', async () => {
    await create('reverted', { deploymentName: 'reverted', replicas: 1 });
    await available('reverted', 1);
    await environment.client.patch(Deployment, key('reverted'), { merge: { spec: { replicas: 5 } } });
    await eventually(async () => {
      expect((await environment.client.get(Deployment, key('reverted'))).spec?.replicas).toBe(1);
    });
  });

  it('deletes the Deployment of a previous name', async () => {
    await create('renamed', { deploymentName: 'old', replicas: 1 });
    await available('renamed', 1);
    await environment.client.patch(Foo, key('renamed'), { merge: { spec: { deploymentName: 'new' } } });
    await eventually(async () => {
      expect(await ignoreNotFound(environment.client.get(Deployment, key('old')))).toBeUndefined();
      expect((await environment.client.get(Deployment, key('new'))).status?.availableReplicas).toBe(1);
    });
  });

  it('refuses a Deployment of somebody else, reports it, and continues when the name is free', async () => {
    const labels = { team: 'payments' };
    const template = { metadata: { labels }, spec: { containers: [{ name: 'payments', image: 'payments:1' }] } };
    await environment.client.create(Deployment, {
      metadata: { name: 'payments', namespace },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    });
    await create('refused', { deploymentName: 'payments', replicas: 1 });
    const note = 'Resource "payments" already exists and is not managed by Foo';
    await recorded('refused', { type: 'Warning', reason: 'ErrResourceExists', note });
    const { metadata, spec } = await environment.client.get(Deployment, key('payments'));
    expect([metadata.ownerReferences, spec?.replicas]).toEqual([undefined, 0]);
    await environment.client.delete(Deployment, key('payments'));
    await available('refused', 1);
  });
});
