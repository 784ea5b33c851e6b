import type { Client } from '@evenkeel/client';
import { Metadata, ObjectKey, SilentLogger } from '@evenkeel/core';
import { ConfigMap, Namespace, Node, Secret, SubjectAccessReview } from '@evenkeel/kinds';
import { NamespacedClient } from './namespaced-client.ts';
import { scriptedClient } from './scripted-client.fixture.ts';

function staying() {
  const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'x' }, items: [] };
  const { client, sent } = scriptedClient(() => ({ status: 200, body }), { logger: new SilentLogger() });
  const reach = { controller: 'website', key: new ObjectKey('blog', 'shop'), namespace: 'shop' };
  return { client: new NamespacedClient({ client, reach }), sent };
}

async function first(lines: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of lines) return;
}

const at = (namespace?: string) => ({ metadata: { name: 'x', ...(namespace === undefined ? {} : { namespace }) } });

const inside: [string, (client: Client) => Promise<unknown>][] = [
  ['get', (client) => client.get(ConfigMap, 'shop/x')],
  ['list', (client) => client.list(Secret, { namespace: 'shop' })],
  ['watch', (client) => first(client.watch(Secret, { namespace: 'shop' }))],
  ['create', (client) => client.create(ConfigMap, at('shop'))],
  ['update', (client) => client.update(ConfigMap, at('shop'))],
  ['patch', (client) => client.patch(ConfigMap, 'shop/x', { merge: {} })],
  ['apply', (client) => client.apply(ConfigMap, at('shop'), { fieldManager: 'test' })],
  ['delete', (client) => client.delete(ConfigMap, 'shop/x')],
  ['deleteCollection', (client) => client.deleteCollection(ConfigMap, { namespace: 'shop' })],
  ['a subresource', (client) => client.subresource(ConfigMap, 'shop/x', 'status').patch({ merge: {} })],
  ['logs', (client) => first(client.logs('shop/x'))],
  ['reading a cluster-scoped object', (client) => client.get(Node, 'worker')],
  ['listing cluster-scoped objects', (client) => client.list(Metadata(Namespace))],
  ['creating a review', (client) => client.create(SubjectAccessReview, at() as never)],
];

const outside: [string, (client: Client) => Promise<unknown>, string][] = [
  ['get', (client) => client.get(ConfigMap, 'bank/x'), 'read ConfigMap bank/x'],
  ['get of metadata', (client) => client.get(Metadata(Secret), 'bank/x'), 'read Secret bank/x'],
  ['list', (client) => client.list(Secret, { namespace: 'bank' }), 'read Secret bank/*'],
  ['list of all namespaces', (client) => client.list(Secret), 'read a Secret without specifying a namespace'],
  ['watch', (client) => first(client.watch(Secret)), 'read a Secret without specifying a namespace'],
  ['create', (client) => client.create(ConfigMap, at('bank')), 'write ConfigMap bank/x'],
  [
    'create without a namespace',
    (client) => client.create(ConfigMap, at()),
    'write a ConfigMap without specifying a namespace',
  ],
  ['update', (client) => client.update(ConfigMap, at('bank')), 'write ConfigMap bank/x'],
  ['patch', (client) => client.patch(ConfigMap, 'bank/x', { merge: {} }), 'write ConfigMap bank/x'],
  ['apply', (client) => client.apply(ConfigMap, at('bank'), { fieldManager: 'test' }), 'write ConfigMap bank/x'],
  ['delete', (client) => client.delete(ConfigMap, 'bank/x'), 'write ConfigMap bank/x'],
  [
    'deleteCollection',
    (client) => client.deleteCollection(ConfigMap, {}),
    'write a ConfigMap without specifying a namespace',
  ],
  [
    'reading a subresource',
    (client) => client.subresource(ConfigMap, 'bank/x', 'scale').get(),
    'read ConfigMap bank/x',
  ],
  [
    'writing a subresource',
    (client) => client.subresource(ConfigMap, 'bank/x', 'status').update({}),
    'write ConfigMap bank/x',
  ],
  ['logs', (client) => first(client.logs('bank/x')), 'read Pod bank/x'],
  [
    'a raw request',
    (client) =>
      client.send({
        verb: 'delete',
        resource: { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true },
        namespace: 'bank',
        name: 'x',
      }),
    'write Secret bank/x',
  ],
  [
    'writing a cluster-scoped object',
    (client) => client.create(Namespace, at() as never),
    'write the cluster-scoped Namespace x',
  ],
];

describe('NamespacedClient', () => {
  it.each(inside)('allows %s', async (_, ask) => {
    const { client, sent } = staying();
    await ask(client);
    expect(sent).toHaveLength(1);
  });

  it.each(outside)('rejects %s and sends nothing', async (_, ask, what) => {
    const { client, sent } = staying();
    const asking = async () => ask(client);
    await expect(asking()).rejects.toMatchObject({
      code: 'outside-of-namespace',
      message: expect.stringContaining(
        `website: the run for shop/blog cannot use context.client to ${what}: it is restricted to the namespace shop; use that namespace`,
      ),
    });
    expect(sent).toEqual([]);
  });
});
