import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { Controller, ListerOf, ObjectKey, Owns, Reconcile, Watches } from '@evenkeel/core';
import { ConfigMap, Namespace, Secret } from '@evenkeel/kinds';
import { Lister } from '../../packages/runtime/src/cache/index.ts';
import { createManager } from '../../packages/runtime/src/manager/manager.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';

@Controller(Namespace)
@Owns(ConfigMap)
class NamespaceController {
  static secrets: Lister<Secret>;
  static readonly reconciled = new Set<string>();
  static readonly first = Promise.withResolvers<void>();

  constructor(@ListerOf(Secret) secrets: Lister<Secret>) {
    NamespaceController.secrets = secrets;
  }

  @Reconcile()
  reconcile({ metadata }: Namespace): void {
    NamespaceController.reconciled.add(metadata.name);
    NamespaceController.first.resolve();
  }

  @Watches(Secret)
  onSecret({ metadata }: Secret): ObjectKey[] {
    return [new ObjectKey(metadata.namespace ?? '', undefined)];
  }
}

describe('the option cache of a manager', () => {
  it('selects the objects and fields of single kinds, which also allows a watch of a whole cluster', async () => {
    const server = await ApiServer.create();
    const client = createClient(server.transport(), { fieldManager: 'tester' });
    const secret = (name: string, labels: Record<string, string>) =>
      client.create(Secret, {
        metadata: { name, namespace: 'default', labels },
        type: 'Opaque',
        stringData: { password: 'hunter2', user: 'jane' },
      });
    await client.create(Namespace, { metadata: { name: 'unlabelled' } });
    await client.create(Namespace, { metadata: { name: 'labelled', labels: { team: 'red' } } });
    await secret('ours', { team: 'red' });
    await secret('theirs', { team: 'blue' });
    const options: ManagerOptions = {
      controllers: [NamespaceController],
      transport: server.transport(),
      cache: [
        { kind: Namespace, labels: { team: 'red' } },
        {
          kind: Secret,
          labels: { team: 'red' },
          keep: ['type', 'data.user'],
          transform: (object: Secret) => ({ ...object, type: `${object.type}!` }),
        },
      ],
    };
    const manager = await createManager(options);
    await manager.start();
    await manager.waitUntilReady();
    expect(NamespaceController.secrets.list().map(({ metadata, type, data }) => [metadata.name, type, data])).toEqual([
      ['ours', 'Opaque!', { user: Buffer.from('jane').toString('base64') }],
    ]);
    expect(manager.health.cached.map(({ resource, objects, bytes }) => [resource, objects, bytes > 100])).toEqual([
      ['configmaps', 0, false],
      ['namespaces', 1, true],
      ['secrets', 1, true],
    ]);
    await NamespaceController.first.promise;
    await manager.stop();
    await server.close();
    expect([...NamespaceController.reconciled]).toEqual(['labelled']);
  });

  it('still rejects a watch of all Secrets of the cluster if it selects none', async () => {
    const transport = { request: () => Promise.reject(new Error('nothing may be sent')), close: async () => {} };
    await expect(
      createManager({ controllers: [NamespaceController], transport, cache: [{ kind: Secret, labels: {} }] }),
    ).rejects.toMatchObject({ code: 'whole-cluster-watch' });
  });

  it.each([
    ['keep', { kind: Namespace, keep: ['spec'] }, 'Namespace'],
    ['transform', { kind: ConfigMap, transform: (map: ConfigMap) => map }, 'ConfigMap'],
  ])('rejects %s for a kind that a controller writes', async (option, kindOptions, kind) => {
    const transport = { request: () => Promise.reject(new Error('nothing may be sent')), close: async () => {} };
    await expect(
      createManager({
        controllers: [NamespaceController],
        transport,
        cache: [{ kind: Secret, namespaces: ['default'] }, kindOptions],
      }),
    ).rejects.toMatchObject({
      code: 'invalid-option',
      message: `cache: ${kind} has ${option}, but NamespaceController writes it and needs complete objects; remove that option for ${kind}`,
    });
  });
});
