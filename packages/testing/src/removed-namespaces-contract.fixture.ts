import { type Client, createClient } from '@evenkeel/client';
import { durationMs, isNotFound } from '@evenkeel/core';
import { ConfigMap, CustomResourceDefinition, Namespace } from '@evenkeel/kinds';
import { Environment, type EnvironmentOptions } from './environment.ts';
import { crashSweep } from './sweeps/crash-sweep.ts';
import type { SweepConnection } from './sweeps/sweep-options.ts';
import { widget, widgetDefinition, widgets } from './widget.fixture.ts';

const finalizer = 'testing.example.com/cleanup';

/** An operator that adds a finalizer to each Widget, and removes it from a deleted one. */
class FinalizingOperator {
  readonly #stopping = new AbortController();
  readonly #done: Promise<void>;

  constructor({ transport, namespaces: [namespace = ''], killed }: SweepConnection) {
    const client = createClient(transport, { fieldManager: 'finalizing' });
    this.#done = this.#run(client, namespace, AbortSignal.any([killed, this.#stopping.signal]));
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#done;
  }

  async #run(client: Client, namespace: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const { type, object } of client.watch(widgets, { namespace, signal })) {
          if (type !== 'ADDED' && type !== 'MODIFIED') continue;
          const { name, finalizers = [], deletionTimestamp } = object.metadata;
          const isHeld = finalizers.includes(finalizer);
          if (isHeld === (deletionTimestamp === undefined)) continue;
          const merge = { metadata: { finalizers: isHeld ? null : [finalizer] } };
          await client.patch(widgets, `${namespace}/${name}`, { merge } as never);
        }
      } catch {
        // The next watch continues.
      }
    }
  }
}

/** The CRD with a second version, which a missing Service converts. */
function convertedDefinition(): CustomResourceDefinition {
  const definition = widgetDefinition();
  const [v1] = definition.spec.versions;
  if (v1 === undefined) throw new Error('no version');
  definition.spec.versions = [v1, { ...v1, name: 'v2', storage: false }];
  definition.spec.conversion = {
    strategy: 'Webhook',
    webhook: {
      clientConfig: { service: { name: 'missing', namespace: 'default', path: '/convert' } },
      conversionReviewVersions: ['v1'],
    },
  };
  return definition;
}

/** How an environment on a cluster removes its namespaces. `client` reads the cluster after the environment was closed. */
export function removedNamespacesContract(
  timeout: '5s' | '25s',
  options: () => Promise<EnvironmentOptions & { readonly client: Client }>,
): void {
  const existing = async (client: Client, names: readonly string[]): Promise<readonly string[]> => {
    const { items } = await client.list(Namespace);
    return items.map(({ metadata }) => metadata.name).filter((name) => names.includes(name));
  };
  const definitionIsGone = async (client: Client): Promise<boolean> =>
    await client.get(CustomResourceDefinition, 'widgets.testing.example.com').then(
      () => false,
      (error: unknown) => isNotFound(error),
    );

  it('removes the namespaces of a sweep whose operator has a finalizer, and the CRD', async () => {
    const { client, ...given } = await options();
    const environment = await Environment.create({ ...given, definitions: [widgetDefinition()] });
    const namespaces: string[] = [];
    const { rounds } = await crashSweep({
      environment,
      operator: async (connection) => {
        namespaces.push(...connection.namespaces);
        return new FinalizingOperator(connection);
      },
      scenario: async ({ client: user, namespace, eventually }) => {
        await user.create(widgets, widget(namespace, 'swept', { size: 2 }));
        await eventually(async () => {
          const { metadata } = await user.get(widgets, `${namespace}/swept`);
          expect(metadata.finalizers).toEqual([finalizer]);
        });
      },
      kinds: [widgets],
      quiet: '20ms',
    });
    expect(rounds).toBe(3);
    const deleted = await client.list(Namespace);
    const rest = deleted.items.filter(({ metadata }) => namespaces.includes(metadata.name));
    expect(rest.filter(({ metadata }) => metadata.deletionTimestamp === undefined)).toEqual([]);
    await environment.close();
    expect(await existing(client, namespaces)).toEqual([]);
    expect(await definitionIsGone(client)).toBe(true);
  });

  it('releases only namespaces that it created', async () => {
    const { client, ...given } = await options();
    await using environment = await Environment.create(given);
    const { metadata } = await client.create(Namespace, { metadata: { generateName: 'others-' } });
    await expect(environment.releaseNamespace(metadata.name)).rejects.toMatchObject({
      code: 'invalid-option',
      message: `releaseNamespace("${metadata.name}"): this environment did not create that namespace; pass a result of createNamespace()`,
    });
    expect((await client.get(Namespace, metadata.name)).metadata.deletionTimestamp).toBeUndefined();
    await client.delete(Namespace, metadata.name);
  });

  it('removes objects whose conversion nothing serves any more', async () => {
    const { client, ...given } = await options();
    const environment = await Environment.create({ ...given, definitions: [convertedDefinition()] });
    const namespace = await environment.createNamespace();
    const { metadata, spec } = widget(namespace, 'held');
    await client.create(widgets, { metadata: { ...metadata, finalizers: [finalizer] }, spec });
    await environment.close();
    expect(await existing(client, [namespace])).toEqual([]);
    expect(await definitionIsGone(client)).toBe(true);
  });

  it('removes the finalizer that a running operator does not remove, and reports it', async () => {
    const { client, ...given } = await options();
    const environment = await Environment.create({
      ...given,
      removalTimeout: timeout,
      definitions: [widgetDefinition()],
    });
    const namespace = await environment.createNamespace();
    await environment.run(async () => ({ stop: async () => undefined }));
    const { metadata, spec } = widget(namespace, 'neglected');
    await client.create(widgets, { metadata: { ...metadata, finalizers: [finalizer] }, spec });
    await client.delete(widgets, `${namespace}/neglected`);
    await expect(environment.close()).rejects.toMatchObject({
      code: 'namespace-not-removed',
      message: expect.stringContaining(
        `namespace ${namespace}: Widget neglected still had the finalizers ${finalizer} after its deletion, although the operators of the test ran`,
      ),
    });
    expect(await existing(client, [namespace])).toEqual([]);
  });

  it('reports an object that it cannot remove, with the command that does, and changes no other namespace', async () => {
    const { client, ...given } = await options();
    const environment = await Environment.create({ ...given, removalTimeout: timeout });
    const namespace = await environment.createNamespace();
    const held = { finalizers: [finalizer] };
    const foreign = await client.create(ConfigMap, {
      metadata: { generateName: 'foreign-', namespace: 'default', ...held },
    });
    // Finalizers of Kubernetes belong to its controllers.
    const finalizers = ['kubernetes.io/held'];
    await client.create(ConfigMap, { metadata: { name: 'held', namespace, finalizers } });
    await expect(environment.close()).rejects.toMatchObject({
      code: 'namespace-not-removed',
      message: expect.stringContaining(
        `namespace ${namespace} still exists ${durationMs(timeout) / 1000} s after the environment was closed: ConfigMap held has the finalizers kubernetes.io/held; ` +
          `find out what should remove them, or remove them with: kubectl patch configmaps held --namespace ${namespace} --type=merge -p '{"metadata":{"finalizers":null}}'`,
      ),
    });
    const key = `default/${foreign.metadata.name}`;
    expect((await client.get(ConfigMap, key)).metadata.finalizers).toEqual(held.finalizers);
    const merge = { metadata: { finalizers: null } } as never;
    await client.patch(ConfigMap, key, { merge });
    await client.patch(ConfigMap, `${namespace}/held`, { merge });
    await client.delete(ConfigMap, key);
  });
}
