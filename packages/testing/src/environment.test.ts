import { ManualClock, SeededRandom } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { Environment } from './environment.ts';
import { environmentContract } from './environment-contract.fixture.ts';
import { widgetDefinition } from './widget.fixture.ts';

describe('Environment on the embedded server', () => {
  environmentContract('embedded', async () => ({ variables: {} }));

  it.each([
    {},
    { KUBEBUILDER_ASSETS: '' },
    { USE_EXISTING_CLUSTER: 'false' },
    { KUBECONFIG: '/home/somebody/.kube/config' },
  ])('is selected by %j', async (variables) => {
    await using environment = await Environment.create({ variables });
    expect(environment.kind).toBe('embedded');
  });

  it('uses the given clock and random numbers', async () => {
    const firstName = async (): Promise<string> => {
      await using environment = await Environment.create({
        variables: {},
        clock: new ManualClock(new Date('2030-01-01T00:00:00Z')),
        random: new SeededRandom(7),
        controllers: false,
      });
      const name = await environment.createNamespace();
      const { metadata } = await environment.client.get(Namespace, name);
      expect(metadata.creationTimestamp).toBe('2030-01-01T00:00:00Z');
      return name;
    };
    expect(await firstName()).toBe(await firstName());
  });

  it('rejects an operator that it could not stop', async () => {
    await using environment = await Environment.create({ variables: {}, controllers: false });
    await expect(environment.run(async () => undefined as never)).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('return the manager'),
    });
  });

  it('restores a conversion on a cluster, even if the operator stops without waiting for it', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const definition = widgetDefinition();
    const { group, names } = definition.spec;
    await cluster.install(definition);
    const variables = { KUBECONFIG: await cluster.kubeconfig() };
    const environment = await Environment.create({ kind: 'cluster', variables });
    await environment.run(async ({ transport }) => {
      await transport.webhookHost?.serve({
        ...{ name: 'widgets', configurations: () => [], policies: [], conversions: [{ group, plural: names.plural }] },
        handle: async () => ({ status: 500, body: '', contentType: 'text/plain' }),
      });
      return { stop: async () => undefined };
    });
    const strategy = async (): Promise<string | undefined> =>
      (await cluster.client.get(CustomResourceDefinition, definition.metadata.name)).spec.conversion?.strategy;
    expect(await strategy()).toBe('Webhook');
    await environment.close();
    expect(await strategy()).toBe('None');
  });

  it('shares nothing with another environment', async () => {
    await using one = await Environment.create({ variables: {} });
    await using other = await Environment.create({ variables: {} });
    await one.client.create(ConfigMap, { metadata: { name: 'mine', namespace: 'default' } });
    await expect(other.client.get(ConfigMap, 'default/mine')).rejects.toMatchObject({ code: 404 });
  });

  it('closes the connection of an operator that fails to start', async () => {
    await using environment = await Environment.create({ variables: {} });
    let transport: Environment['transport'] | undefined;
    const run = environment.run(async (connection) => {
      transport = connection.transport;
      throw new Error('no controllers');
    });
    await expect(run).rejects.toThrow('no controllers');
    await expect(transport?.request({ method: 'GET', path: '/version' })).rejects.toThrow();
    await environment.client.get(Namespace, 'default');
  });
});
