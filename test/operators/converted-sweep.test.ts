import type { Transport } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition } from '@evenkeel/kinds';
import { createManager } from '@evenkeel/runtime';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { crashSweep, Environment, foreignObjectSweep, type SweepOptions } from '@evenkeel/testing';
import { OldShop, OldShopController, Shop, ShopController, specAfterOldWrite } from './converted-shop.fixture.ts';
import { Warnings } from './operator.fixture.ts';

describe('a sweep of an operator with conversions', () => {
  it('starts the scenario when the operator serves them', async () => {
    await using environment = await Environment.create({
      kind: 'embedded',
      definitions: [await customResourceDefinitionOf([Shop, OldShop])],
    });
    const options: SweepOptions = {
      environment,
      operator: async (connection) => {
        const manager = await createManager({
          ...connection,
          controllers: [ShopController],
          conversions: [OldShop],
        });
        await manager.start();
        return manager;
      },
      scenario: async ({ client, namespace, eventually }) => {
        await client.create(OldShop, { metadata: { name: 'a', namespace }, spec: { size: 3 } });
        await eventually(async () => {
          expect((await client.get(ConfigMap, `${namespace}/a`)).data).toEqual({ replicas: '3' });
        });
      },
      kinds: [ConfigMap],
      concurrency: 1,
    };
    expect((await crashSweep(options)).rounds).toBeGreaterThan(1);
    expect((await foreignObjectSweep(options)).children).toEqual(['configmaps a']);
  });
});

describe('an environment on a cluster where an operator with conversions is deployed', () => {
  it('leaves the CRD with the webhook of that operator', async () => {
    await using cluster = await Environment.create({ variables: {} });
    const variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: await cluster.kubeconfig() };
    const definition = await customResourceDefinitionOf([Shop, OldShop]);
    const service = { namespace: 'shops', name: 'shops-webhook', path: '/convert', port: 443 };
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
    };
    const deployed = { ...definition, spec: { ...definition.spec, conversion } };
    await cluster.client.apply(CustomResourceDefinition, deployed, { fieldManager: 'evenkeel-deploy:shops' });
    {
      await using environment = await Environment.create({ variables, definitions: [definition] });
      const namespace = await environment.createNamespace();
      await environment.run(async (connection) => {
        const operator = { controllers: [ShopController], conversions: [OldShop], namespaces: [namespace] };
        const manager = await createManager({ ...connection, ...operator });
        await manager.start();
        return manager;
      });
      await environment.client.create(OldShop, { metadata: { name: 'a', namespace }, spec: { size: 3 } });
      expect((await environment.client.get(Shop, `${namespace}/a`)).spec.replicas).toBe(3);
    }
    const { spec } = await cluster.client.get(CustomResourceDefinition, definition.metadata.name);
    expect(spec.conversion).toEqual(conversion);
  });
});

describe('an operator of an old version whose conversion keeps the fields of the new one', () => {
  it('writes objects that have these fields', async () => {
    await using environment = await Environment.create({
      kind: 'embedded',
      definitions: [await customResourceDefinitionOf([Shop, OldShop])],
    });
    expect(await specAfterOldWrite(environment)).toEqual({ replicas: 3, color: 'red' });
  });

  it('reads an object before a write only until it knows of the conversion, by a list, and reports no difference', async () => {
    await using environment = await Environment.create({
      kind: 'embedded',
      definitions: [await customResourceDefinitionOf([Shop, OldShop])],
    });
    const namespace = await environment.createNamespace();
    const reads: string[] = [];
    const logger = new Warnings();
    await environment.run(async (connection) => {
      const { transport } = connection;
      const request: Transport['request'] = (sent) => {
        if (/\/shops(?:\/[ab]$|\?fieldSelector=)/.test(sent.path) && sent.method === 'GET') reads.push(sent.path);
        return transport.request(sent);
      };
      const { witness, webhookHost } = transport;
      const manager = await createManager({
        ...{ ...connection, controllers: [OldShopController], conversions: [OldShop], namespaces: [namespace], logger },
        transport: { request, close: () => transport.close(), witness, webhookHost },
      });
      await manager.start();
      return manager;
    });
    const version = (name: string) =>
      expect.stringContaining(`/${name}/namespaces/${namespace}/shops?fieldSelector=metadata.name%3Da`);
    for (const name of ['a', 'b']) {
      const spec = { replicas: 1, color: 'red' } as const;
      await environment.eventually(() => environment.client.apply(Shop, { metadata: { name, namespace }, spec }));
      await environment.eventually(async () => {
        expect((await environment.client.get(Shop, `${namespace}/${name}`)).metadata.labels).toEqual({ seen: 'yes' });
      });
      expect(reads.toSorted()).toEqual([version('v1'), version('v2')]);
    }
    expect(logger.infos.filter((line) => line.includes('lacks fields'))).toEqual([]);
  });
});
