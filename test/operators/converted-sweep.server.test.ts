import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { Finalizer, type Transport } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { createManager } from '@evenkeel/runtime';
import { customResourceDefinitionOf } from '@evenkeel/schema';
import { crashSweep, Environment } from '@evenkeel/testing';
import { describeWithRealServer, type RealServer, startRealCluster } from '../real-server.fixture.ts';
import { OldShop, Shop, ShopController, specAfterOldWrite } from './converted-shop.fixture.ts';

class ClosingController extends ShopController {
  @Finalizer('sweep.example.com/close')
  async close(): Promise<void> {}
}

describeWithRealServer('a sweep of an operator with conversions and a finalizer on a cluster', () => {
  let cluster: RealServer;
  let transport: Transport;
  beforeAll(async () => {
    cluster = await startRealCluster();
    transport = httpsTransport(await loadConnection({ kubeconfig: cluster.kubeconfig }));
  });
  afterAll(async () => {
    await transport?.close();
    await cluster?.stop();
  });

  it('leaves neither namespaces nor the CRD, so that the next environment can install it again', async () => {
    const client = createClient(transport);
    const definition = await customResourceDefinitionOf([Shop, OldShop]);
    const variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig };
    const environment = await Environment.create({ variables, definitions: [definition] });
    const { rounds } = await crashSweep({
      environment,
      operator: async (connection) => {
        const manager = await createManager({
          ...connection,
          controllers: [ClosingController],
          conversions: [OldShop],
        });
        await manager.start();
        return manager;
      },
      scenario: async ({ client: user, namespace, eventually }) => {
        await user.create(OldShop, { metadata: { name: 'a', namespace }, spec: { size: 3 } });
        await eventually(async () => {
          expect((await user.get(ConfigMap, `${namespace}/a`)).data).toEqual({ replicas: '3' });
        });
        // Managed fields of the old version can only be written while something converts.
        await eventually(() => user.apply(OldShop, { metadata: { name: 'a', namespace }, spec: { size: 3 } }));
      },
      kinds: [ConfigMap],
    });
    expect(rounds).toBeGreaterThan(1);
    await environment.close();
    const { items } = await client.list(Namespace);
    expect(items.map(({ metadata }) => metadata.name).filter((name) => name.startsWith('test-'))).toEqual([]);
    await expect(client.get(CustomResourceDefinition, definition.metadata.name)).rejects.toMatchObject({ code: 404 });
    await using again = await Environment.create({ variables, definitions: [definition] });
    const namespace = await again.createNamespace();
    await client.create(Shop, { metadata: { name: 'again', namespace }, spec: { replicas: 1 } });
    expect(await specAfterOldWrite(again)).toEqual({ replicas: 3, color: 'red' });
  });
});
