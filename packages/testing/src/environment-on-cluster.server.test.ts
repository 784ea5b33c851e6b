import { existsSync } from 'node:fs';
import { isNotFound, type WitnessedManager } from '@evenkeel/core';
import { Namespace } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealCluster } from '../../../test/real-server.fixture.ts';
import { Environment } from './environment.ts';
import { widget, widgetDefinition, widgets } from './widget.fixture.ts';

describeWithRealServer('an environment on a cluster', () => {
  let cluster: RealServer;
  let variables: Record<string, string>;
  beforeAll(async () => {
    cluster = await startRealCluster();
    variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig, KUBEBUILDER_ASSETS: '/nowhere' };
  });
  afterAll(() => cluster?.stop());

  const statusOf = async (path: string): Promise<number> => (await cluster.send('GET', path)).status;
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

  // The real controller waits 5 s before it removes a namespace, so these tests run concurrently. None uses objects of
  // another.
  it.concurrent('removes what it added, while its operators still run', async () => {
    const environment = await Environment.create({ variables, definitions: [widgetDefinition()] });
    expect(environment.kind).toBe('cluster');
    expect(await environment.kubeconfig()).toBe(cluster.kubeconfig);
    const namespace = await environment.createNamespace();
    await environment.client.create(widgets, widget(namespace, 'plain'));
    let endedBeforeStop: boolean | undefined;
    await environment.run(async () => ({
      stop: async () => {
        endedBeforeStop = (await statusOf(`/api/v1/namespaces/${namespace}`)) === 404;
      },
    }));
    await environment.close();
    expect(endedBeforeStop).toBe(true);
    expect(existsSync(cluster.kubeconfig)).toBe(true);
    await environment.eventually(async () =>
      expect(await statusOf(`${definitions}/widgets.testing.example.com`)).toBe(404),
    );
    expect(await statusOf('/readyz')).toBe(200);
  });

  it.concurrent('keeps a definition that existed before', async () => {
    const kept = widgetDefinition();
    kept.spec.group = 'kept.example.com';
    kept.metadata.name = 'widgets.kept.example.com';
    await cluster.send('POST', definitions, { body: kept });
    const environment = await Environment.create({ variables, definitions: [kept] });
    await environment.close();
    const { body } = await cluster.send('GET', `${definitions}/${kept.metadata.name}`);
    expect(body.spec.group).toBe('kept.example.com');
    expect(body.metadata.deletionTimestamp).toBeUndefined();
  });

  it.concurrent('ignores a namespace that is already deleted', async () => {
    const environment = await Environment.create({ variables });
    const namespace = await environment.createNamespace();
    await environment.client.delete(Namespace, namespace);
    await environment.eventually(
      async () => expect(await environment.client.get(Namespace, namespace).catch(isNotFound)).toBe(true),
      { timeout: '30s' },
    );
    await environment.close();
  });

  it('starts no operator that would reconcile the objects of others', async () => {
    const environment = await Environment.create({ variables });
    const run = async (namespaces: readonly string[] | undefined, within = environment): Promise<void> => {
      await within.run(async ({ transport: { witness } }) => {
        const manager: WitnessedManager = {
          call: new Error(),
          controllers: [{ name: 'others', resource: widgets }],
          namespaces,
          lease: undefined,
          now: () => [],
          stop: async () => undefined,
        };
        witness?.created(manager).starting(manager.call);
        return manager;
      });
    };
    try {
      await expect(run(undefined)).rejects.toMatchObject({
        code: 'test-in-all-namespaces',
        message: expect.stringMatching(
          /^the manager created at .*environment-on-cluster\.server\.test\.ts:\d+ would reconcile all objects of an existing cluster/,
        ),
      });
      await run([await environment.createNamespace()]);
    } finally {
      await environment.close();
    }
    await using all = await Environment.create({ variables, allNamespaces: true });
    await run(undefined, all);
  });

  it('is not available if the kubeconfig has none', async () => {
    await expect(
      Environment.create({ kind: 'cluster', variables: { KUBECONFIG: '/nowhere/kubeconfig' } }),
    ).rejects.toMatchObject({ code: 'kubeconfig-not-found' });
  });
});
