import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { isNotFound, StatusError } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { jest } from '@jest/globals';
import {
  describeWithRealServer,
  type RealServer,
  realServerAssets,
  startRealServer,
} from '../../../test/real-server.fixture.ts';
import { CopyOperator } from './copy-operator.fixture.ts';
import { Environment, type EnvironmentOptions } from './environment.ts';
import { widgetDefinition, widgets } from './widget.fixture.ts';

jest.setTimeout(90_000);

const widget = (namespace: string, name: string, spec: object = {}) => ({ metadata: { name, namespace }, spec });

/** What a test may rely on, whichever server it runs on. */
function environmentContract(options: () => Promise<EnvironmentOptions>): void {
  let environment: Environment;
  beforeAll(async () => {
    environment = await Environment.create({ ...(await options()), definitions: [widgetDefinition()] });
  });
  afterAll(() => environment?.close());

  it('serves an installed kind, by its schema', async () => {
    const namespace = await environment.createNamespace();
    const created = await environment.client.create(widgets, widget(namespace, 'plain'));
    expect(created['spec']).toEqual({ size: 3 });
    const refused = environment.client.create(widgets, widget(namespace, 'large', { size: 6 }));
    await expect(refused).rejects.toThrow(
      'spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5',
    );
    await expect(refused).rejects.toBeInstanceOf(StatusError);
  });

  it('installs a changed definition over the one that is there', async () => {
    const definition = widgetDefinition();
    definition.spec.names.shortNames = ['wd'];
    await environment.install(definition);
    const { spec } = await environment.client.get(CustomResourceDefinition, definition.metadata.name);
    expect(spec.names.shortNames).toEqual(['wd']);
  });

  it('makes namespaces with names of their own', async () => {
    const names = await Promise.all([environment.createNamespace(), environment.createNamespace()]);
    for (const name of names) expect(name).toMatch(/^test-[a-z0-9]{5}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it('runs operators, each on a connection of its own', async () => {
    const namespace = await environment.createNamespace();
    const operator = await environment.run(async (connection) => {
      expect(connection.transport).not.toBe(environment.transport);
      return new CopyOperator(connection);
    });
    await environment.client.create(widgets, widget(namespace, 'copied', { size: 2 }));
    const copy = await environment.eventually(() => environment.client.get(ConfigMap, `${namespace}/copied`));
    expect(copy.data).toEqual({ size: '2' });
    await operator.stop();
  });

  it('gives other programs a kubeconfig that only its owner can read', async () => {
    const file = await environment.kubeconfig();
    expect((await stat(file)).mode & 0o077).toBe(0);
    const transport = httpsTransport(await loadConnection({ kubeconfig: file }));
    const { metadata } = await createClient(transport).get(Namespace, 'default');
    expect(metadata.name).toBe('default');
    await transport.close();
    expect(await environment.kubeconfig()).toBe(file);
  });

  it('stops operators and server when it goes out of scope', async () => {
    let operator: CopyOperator;
    let kubeconfig: string;
    let client: Environment['client'];
    {
      await using scoped = await Environment.create({ ...(await options()), definitions: [widgetDefinition()] });
      operator = await scoped.run(async (connection) => new CopyOperator(connection));
      kubeconfig = await scoped.kubeconfig();
      client = scoped.client;
    }
    expect(operator.isStopped).toBe(true);
    expect(existsSync(kubeconfig)).toBe(false);
    await expect(client.get(Namespace, 'default')).rejects.toThrow();
  });

  it('closes the server also when an operator does not stop, and says so', async () => {
    const other = await Environment.create(await options());
    const kubeconfig = await other.kubeconfig();
    await other.run(async () => ({ stop: () => Promise.reject(new Error('stuck in a reconcile')) }));
    await expect(other.close()).rejects.toThrow('stuck in a reconcile');
    expect(existsSync(kubeconfig)).toBe(false);
  });
}

describeWithRealServer('an environment on envtest', () => {
  const onEnvtest = async (): Promise<EnvironmentOptions> => ({
    variables: { KUBEBUILDER_ASSETS: await realServerAssets() },
  });
  environmentContract(onEnvtest);

  it('is of the kind that the assets ask for', async () => {
    await using environment = await Environment.create(await onEnvtest());
    expect(environment.kind).toBe('envtest');
  });
});

describeWithRealServer('an environment on a cluster', () => {
  let cluster: RealServer;
  let variables: Record<string, string>;
  beforeAll(async () => {
    cluster = await startRealServer('controllers');
    variables = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: cluster.kubeconfig, KUBEBUILDER_ASSETS: '/nowhere' };
  });
  afterAll(() => cluster?.stop());

  const statusOf = async (path: string): Promise<number> => (await cluster.send('GET', path)).status;
  const definitionPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.testing.example.com';

  it('removes what it added, while its operators still run', async () => {
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
    await environment.eventually(async () => expect(await statusOf(definitionPath)).toBe(404));
    expect(await statusOf('/readyz')).toBe(200);
  });

  it('leaves a definition that was there before', async () => {
    await cluster.send('POST', definitionPath.slice(0, definitionPath.lastIndexOf('/')), { body: widgetDefinition() });
    const environment = await Environment.create({ variables, definitions: [widgetDefinition()] });
    await environment.close();
    const { body } = await cluster.send('GET', definitionPath);
    expect(body.metadata.deletionTimestamp).toBeUndefined();
    await cluster.send('DELETE', definitionPath);
  });

  it('names a namespace that does not end, and what holds it', async () => {
    const environment = await Environment.create({ variables, removalTimeout: '8s' });
    const namespace = await environment.createNamespace();
    await environment.client.create(ConfigMap, {
      metadata: { name: 'held', namespace, finalizers: ['testing.example.com/held'] },
    } as never);
    await expect(environment.close()).rejects.toMatchObject({
      code: 'namespace-not-removed',
      message: expect.stringMatching(/^namespace test-\w{5} has not ended 8 s after.*testing\.example\.com\/held/s),
    });
    const patch = { body: { metadata: { finalizers: null } }, contentType: 'application/merge-patch+json' };
    await cluster.send('PATCH', `/api/v1/namespaces/${namespace}/configmaps/held`, patch);
  });

  it('does not touch a namespace that is gone already', async () => {
    const environment = await Environment.create({ variables });
    const namespace = await environment.createNamespace();
    await environment.client.delete(Namespace, namespace);
    await environment.eventually(
      async () => expect(await environment.client.get(Namespace, namespace).catch(isNotFound)).toBe(true),
      { timeout: '30s' },
    );
    await environment.close();
  });

  it('cannot be had where the kubeconfig names none', async () => {
    await expect(
      Environment.create({ kind: 'cluster', variables: { KUBECONFIG: '/nowhere/kubeconfig' } }),
    ).rejects.toMatchObject({ code: 'kubeconfig-not-found' });
  });
});
