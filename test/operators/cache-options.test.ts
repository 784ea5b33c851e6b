import { ApiServer } from '@evenkeel/apiserver';
import { createClient } from '@evenkeel/client';
import { Controller, ListerOf, ObjectKey, Owns, Reconcile, Watches } from '@evenkeel/core';
import { ConfigMap, Namespace, Secret } from '@evenkeel/kinds';
import { eventually } from '@evenkeel/testing';
import { Lister } from '../../packages/runtime/src/cache/index.ts';
import { createManager } from '../../packages/runtime/src/manager/manager.ts';
import type { ManagerOptions } from '../../packages/runtime/src/options/manager-options.ts';
import type { ReconcileContext } from '../../packages/runtime/src/reconcile/reconcile-context.ts';

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

@Controller(Namespace)
@Owns(ConfigMap)
class AnnotatingController {
  static readonly seen: unknown[] = [];

  constructor(@ListerOf(ConfigMap) private readonly maps: Lister<ConfigMap>) {}

  @Reconcile()
  async reconcile({ metadata }: Namespace, context: ReconcileContext): Promise<void> {
    const cached = this.maps.get(`${metadata.name}/child`);
    AnnotatingController.seen.push({ owner: metadata.annotations, child: cached?.metadata.annotations ?? {} });
    const annotations = { 'note.example.com/own': 'ours' };
    const child = { metadata: { name: 'child', namespace: metadata.name, annotations } };
    await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', ...child } as ConfigMap);
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

  it('drops annotations of others, and keeps those that a controller applies', async () => {
    const server = await ApiServer.create();
    const client = createClient(server.transport(), { fieldManager: 'tester' });
    const note = { 'note.example.com/long': 'x'.repeat(10_000), 'other.example.com/short': 'y' };
    await client.create(Namespace, { metadata: { name: 'noted', labels: { team: 'red' }, annotations: note } });
    AnnotatingController.seen.length = 0;
    const manager = await createManager({
      controllers: [AnnotatingController],
      transport: server.transport(),
      cache: [
        { kind: Namespace, labels: { team: 'red' }, dropAnnotations: ['note.example.com/*'] },
        {
          kind: ConfigMap,
          dropAnnotations: ['note.example.com/*', 'kubectl.kubernetes.io/last-applied-configuration'],
        },
      ],
    });
    await manager.start();
    await manager.waitUntilReady();
    const notesOfOthers = { merge: { metadata: { annotations: note } } };
    const seen = AnnotatingController.seen;
    await eventually(() => expect(seen).toContainEqual({ owner: { 'other.example.com/short': 'y' }, child: {} }));
    await eventually(() => client.patch(ConfigMap, 'noted/child', notesOfOthers));
    const child = { 'note.example.com/own': 'ours', 'other.example.com/short': 'y' };
    await eventually(() => expect(seen).toContainEqual({ owner: { 'other.example.com/short': 'y' }, child }));
    const { resourceVersion } = (await client.get(ConfigMap, 'noted/child')).metadata;
    await client.patch(Namespace, 'noted', {
      merge: { metadata: { annotations: { 'other.example.com/short': 'z' } } },
    });
    await eventually(() => expect(seen).toContainEqual({ owner: { 'other.example.com/short': 'z' }, child }));
    const live = await client.get(ConfigMap, 'noted/child');
    expect(live.metadata.annotations).toEqual({ ...note, 'note.example.com/own': 'ours' });
    expect(live.metadata.resourceVersion).toBe(resourceVersion);
    expect(manager.health.cached.every(({ bytes }) => bytes < 2000)).toBe(true);
    await expect(manager.client.update(ConfigMap, live)).rejects.toMatchObject({
      code: 'incomplete-update',
      message:
        'update() of ConfigMap noted/child: the cache option dropAnnotations of ConfigMap leaves its cached objects incomplete, and an update would remove the rest from the server; use patch() or apply()',
    });
    await manager.stop();
    await server.close();
  });

  it.each([[''], ['*'], ['example.com*'], ['a b'], [7]])('rejects %j in dropAnnotations', async (key) => {
    const transport = { request: () => Promise.reject(new Error('nothing may be sent')), close: async () => {} };
    await expect(
      createManager({
        controllers: [AnnotatingController],
        transport,
        cache: [{ kind: ConfigMap, dropAnnotations: [key as string] }],
      }),
    ).rejects.toMatchObject({
      code: 'invalid-option',
      message: `cache: ConfigMap: dropAnnotations: invalid key ${JSON.stringify(key)}; write the key of an annotation, or a prefix with "/*", such as "example.com/*"`,
    });
  });
});
