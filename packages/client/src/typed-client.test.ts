import { CustomResource, KubernetesObject, Metadata, type ObjectKey } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import type { Client } from './client.ts';
import { createClient } from './create-client.ts';
import { ScriptedTransport } from './scripted-transport.fixture.ts';

// The type check compiles this file. A line below @ts-expect-error must be an error, and no other line may be one.

@CustomResource({ group: 'example.com', version: 'v1' })
class Widget extends KubernetesObject {
  spec?: { size: number; parts?: { name: string }[] };
}

const plain = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true };

/** Never called; only the type check matters. */
export async function typed(client: Client, key: ObjectKey): Promise<void> {
  const map: ConfigMap = await client.get(ConfigMap, key);
  const text: string | undefined = map.data?.['a'];
  // @ts-expect-error values are strings
  const wrong: number | undefined = map.data?.['a'];
  const size: number | undefined = (await client.get(Widget, key)).spec?.size;
  const metadata: Metadata<ConfigMap> = await client.get(Metadata(ConfigMap), key);
  // @ts-expect-error only metadata
  metadata.data;
  const some = await client.get(plain, key);
  const unknown: unknown = some['spec'];
  // @ts-expect-error the type is unknown
  some['spec'].size;
  const { items } = await client.list(Deployment, { labels: { app: 'web' } });
  const replicas: number | undefined = items[0]?.spec?.replicas;
  for await (const event of client.watch(ConfigMap)) {
    if (event.type === 'ADDED') event.object.data?.['a'];
    // @ts-expect-error the event may be a bookmark, which has no data
    event.object.data;
  }

  await client.create(ConfigMap, { metadata: { generateName: 'a-' }, data: { a: 'b' } });
  // @ts-expect-error no such field
  await client.create(ConfigMap, { metadata: { name: 'a' }, date: {} });
  // @ts-expect-error replicas of a Deployment are a number
  await client.update(Deployment, { metadata: { name: 'a' }, spec: { replicas: '2', selector: {}, template: {} } });

  await client.apply(Deployment, { metadata: { name: 'a' }, spec: { replicas: 2 } });
  await client.apply(Widget, { metadata: { name: 'a' }, spec: { parts: [{}] } });
  // @ts-expect-error the key is missing
  await client.apply(Deployment, { metadata: { namespace: 'default' } });
  // @ts-expect-error no such field
  await client.apply(Deployment, { metadata: { name: 'a' }, spec: { replica: 2 } });

  const of: number | undefined = (await client.subresource(Deployment, key, 'scale').get()).spec?.replicas;
  const ready: number | undefined = (await client.subresource(Deployment, key, 'status').get()).status?.readyReplicas;
  // @ts-expect-error the type of other subresources is unknown
  (await client.subresource(Deployment, key, 'other').get()).spec.replicas;
  // @ts-expect-error a patch has exactly one type
  await client.patch(Deployment, key, { replace: {} });
  // @ts-expect-error no such policy
  await client.delete(Deployment, key, { propagationPolicy: 'background' });
  void [text, wrong, size, unknown, replicas, of, ready];
}

it('returns what its types declare', async () => {
  const metadata = { name: 'a', namespace: 'default' };
  const client = createClient(new ScriptedTransport({ body: { metadata, spec: { size: 3 } } }, { body: { metadata } }));
  const widget = await client.get(Widget, 'default/a');
  expect([widget instanceof Widget, widget.spec?.size, widget.kind]).toEqual([true, 3, 'Widget']);
  expect((await client.get(plain, 'default/a')).constructor).toBe(Object);
});
