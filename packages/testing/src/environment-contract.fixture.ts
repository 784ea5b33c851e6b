import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createClient, httpsTransport, loadConnection } from '@evenkeel/client';
import { StatusError } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { CopyOperator } from './copy-operator.fixture.ts';
import { Environment, type EnvironmentOptions } from './environment.ts';
import type { EnvironmentKind } from './server/test-server.ts';
import { widget, widgetDefinition, widgets } from './widget.fixture.ts';

/** The behaviour that tests may rely on, on every server. */
export function environmentContract(kind: EnvironmentKind, options: () => Promise<EnvironmentOptions>): void {
  let environment: Environment;
  beforeAll(async () => {
    environment = await Environment.create({ ...(await options()), definitions: [widgetDefinition()] });
  });
  afterAll(() => environment?.close());

  it('has the requested kind', () => expect(environment.kind).toBe(kind));

  it('serves an installed kind and validates it by its schema', async () => {
    const namespace = await environment.createNamespace();
    const created = await environment.client.create(widgets, widget(namespace, 'plain'));
    expect(created['spec']).toEqual({ size: 3 });
    const refused = environment.client.create(widgets, widget(namespace, 'large', { size: 6 }));
    await expect(refused).rejects.toThrow(
      'spec.size: Invalid value: 6: spec.size in body should be less than or equal to 5',
    );
    await expect(refused).rejects.toBeInstanceOf(StatusError);
  });

  it('replaces an installed definition by a changed one', async () => {
    const definition = widgetDefinition();
    definition.spec.names.shortNames = ['wd'];
    await environment.install(definition);
    const { spec } = await environment.client.get(CustomResourceDefinition, definition.metadata.name);
    expect(spec.names.shortNames).toEqual(['wd']);
  });

  it('installs a conversion before the operator that converts the stored objects', async () => {
    const released = widgetDefinition();
    released.metadata.name = 'gears.testing.example.com';
    released.spec.names = { kind: 'Gear', listKind: 'GearList', plural: 'gears', singular: 'gear' };
    const gears = { ...widgets, kind: 'Gear', plural: 'gears' };
    await environment.install(released);
    await environment.client.create(gears, widget(await environment.createNamespace(), 'stored'));
    const [v1] = released.spec.versions;
    if (v1 === undefined) throw new Error('no version');
    const service = { name: 'converter', namespace: 'default' };
    const conversion = {
      strategy: 'Webhook',
      webhook: { clientConfig: { service }, conversionReviewVersions: ['v1'] },
    };
    const versions = [v1, { ...v1, name: 'v2', storage: false }];
    await environment.install({ ...released, spec: { ...released.spec, versions, conversion } });
    await expect(environment.client.list({ ...gears, version: 'v2' })).rejects.toThrow('conversion webhook for');
    expect((await environment.client.list(gears)).items).toHaveLength(1);
  });

  it('creates namespaces with unique names', async () => {
    const names = await Promise.all([environment.createNamespace(), environment.createNamespace()]);
    for (const name of names) expect(name).toMatch(/^test-[a-z0-9]{5}$/);
    expect(names[0]).not.toBe(names[1]);
  });

  it('runs operators, each on a separate connection', async () => {
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

  it('writes a kubeconfig for other programs that only its owner can read', async () => {
    const file = await environment.kubeconfig();
    expect((await stat(file)).mode & 0o077).toBe(0);
    const transport = httpsTransport(await loadConnection({ kubeconfig: file }));
    const { metadata } = await createClient(transport).get(Namespace, 'default');
    expect(metadata.name).toBe('default');
    await transport.close();
    expect(await environment.kubeconfig()).toBe(file);
  });

  it('stops operators and server when it goes out of scope, and reports an operator that fails to stop', async () => {
    let operator: CopyOperator | undefined;
    let kubeconfig = '';
    let client: Environment['client'] | undefined;
    const inScope = async (): Promise<void> => {
      await using scoped = await Environment.create({ ...(await options()), definitions: [widgetDefinition()] });
      await scoped.run(async () => ({ stop: () => Promise.reject(new Error('stuck in a reconcile')) }));
      operator = await scoped.run(async (connection) => new CopyOperator(connection));
      kubeconfig = await scoped.kubeconfig();
      client = scoped.client;
      await client.get(Namespace, 'default');
    };
    await expect(inScope()).rejects.toThrow('stuck in a reconcile');
    expect(operator?.isStopped).toBe(true);
    expect(existsSync(kubeconfig)).toBe(false);
    await expect(client?.get(Namespace, 'default')).rejects.toThrow();
  });
}
