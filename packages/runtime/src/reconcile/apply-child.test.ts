import { type ApiResource, KubernetesObject, ObjectKey } from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { AppliedFieldsKeeper } from '../cache/applied-fields.ts';
import type { OwnedFields } from '../cache/index.ts';
import { AppliedInRun } from './applied-in-run.ts';
import { ChildApplier, type OwnedKind } from './apply-child.ts';
import { type Answer, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';

const websites: ApiResource = {
  group: 'web.example.com',
  version: 'v1',
  kind: 'Website',
  plural: 'websites',
  namespaced: true,
};
const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const namespaces: ApiResource = {
  group: '',
  version: 'v1',
  kind: 'Namespace',
  plural: 'namespaces',
  namespaced: false,
};

class Website extends KubernetesObject {}

function website(metadata: object = {}): Website {
  return Object.assign(new Website(), {
    apiVersion: 'web.example.com/v1',
    kind: 'Website',
    metadata: { name: 'blog', namespace: 'default', uid: 'u-blog', ...metadata },
  });
}

/** An apply never lists. */
const unlisted = { ownedBy: () => [], isSynced: () => true };

const page = (data: Record<string, string>): ConfigMap =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' }, data }) as ConfigMap;

const ownFields = (...keys: string[]): OwnedFields => ({
  'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])),
  'f:metadata': {
    'f:labels': { 'f:evenkeel.dev/controller': {} },
    'f:ownerReferences': { 'k:{"uid":"u-blog"}': {} },
  },
});

const ownReferences = (...uids: string[]): OwnedFields => ({
  'f:metadata': {
    'f:labels': { 'f:evenkeel.dev/controller': {} },
    'f:ownerReferences': Object.fromEntries(uids.map((uid) => [`k:{"uid":"${uid}"}`, {}])),
  },
});

/** The object with what the server adds. */
function live(data: Record<string, string>, owned?: OwnedFields, metadata: object = {}): ConfigMap {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'page',
      namespace: 'default',
      uid: 'u-page',
      resourceVersion: '7',
      labels: { 'evenkeel.dev/controller': 'website' },
      ownerReferences: [
        {
          apiVersion: 'web.example.com/v1',
          kind: 'Website',
          name: 'blog',
          uid: 'u-blog',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      ...(owned === undefined
        ? {}
        : { managedFields: [{ manager: 'website', operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: owned }] }),
      ...metadata,
    },
    data,
  } as ConfigMap;
}

function applier(answer: (request: SentRequest) => Answer) {
  const cache = new Map<string, ConfigMap>();
  const { client, sent } = scriptedClient(answer);
  const children = [
    { kind: ConfigMap, resource: maps, get: (key: ObjectKey) => cache.get(String(key)), ...unlisted },
    { kind: Namespace, resource: namespaces, get: () => undefined, ...unlisted },
  ] as OwnedKind[];
  const instance = new ChildApplier({ controller: 'website', owner: websites, children, client });
  const apply = (child: unknown, owner = website()): Promise<KubernetesObject> =>
    instance.apply(owner, child, new AppliedInRun(), new AbortController().signal);
  return { apply, cache, sent, instance };
}

/** The object as a cache has it that keeps what the controller owns of it. */
function cached(object: ConfigMap): ConfigMap {
  const { managedFields, ...metadata } = object.metadata;
  const kept = { ...object, metadata } as ConfigMap;
  new AppliedFieldsKeeper(new Set(['website'])).keep(kept, managedFields);
  return kept;
}

const refuseAll = (): Answer => {
  throw new Error('nothing was to be sent');
};

describe('ChildApplier', () => {
  it('sends the child with its namespace, the label and the controller reference, and takes over what others own', async () => {
    const { apply, sent } = applier(() => ({ status: 201, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    expect(sent).toEqual([
      {
        method: 'PATCH',
        path: '/api/v1/namespaces/default/configmaps/page?fieldManager=website&force=true',
        body: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: {
            name: 'page',
            namespace: 'default',
            labels: { 'evenkeel.dev/controller': 'website' },
            ownerReferences: live({}).metadata.ownerReferences,
          },
          data: { a: '1' },
        },
      },
    ]);
  });

  it('sends nothing where nothing differs, and gives the cached object', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 201, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', live({ a: '1', theirs: 'too' }));
    expect(await apply(page({ a: '1' }))).toBe(cache.get('default/page'));
    expect(sent).toHaveLength(1);
  });

  it.each<[string, ConfigMap, ConfigMap]>([
    ['a value was changed by hand', page({ a: '1' }), live({ a: '2' })],
    ['a field is no longer asked for', page({}), live({ a: '1' })],
    ['a field is asked for that was not', page({ a: '1', b: '2' }), live({ a: '1', b: '2' })],
    ['the owner reference was taken off', page({ a: '1' }), live({ a: '1' }, undefined, { ownerReferences: [] })],
    ['the object was made anew by somebody', page({ a: '1' }), live({ a: '1' }, undefined, { uid: 'u-other' })],
  ])('sends again when %s', async (_, desired, cached) => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', cached);
    await apply(desired);
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it('sends again when the child was deleted', async () => {
    const { apply, sent } = applier(() => ({ status: 201, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(2);
  });

  it('sends once what the server stores in another form', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 201, body: live({ a: 'one' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', live({ a: 'one' }));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(1);
    await apply(page({ a: '2' }));
    cache.set('default/page', live({ a: 'three' }));
    await apply(page({ a: '2' }));
    expect(sent).toHaveLength(3);
  });

  it('sends nothing where an earlier process has applied just what is asked for, as the cache knows', async () => {
    const { apply, cache, sent } = applier(refuseAll);
    cache.set('default/page', cached(live({ a: '1' }, ownFields('a'))));
    await apply(page({ a: '1' }));
    await apply(page({ a: '1' }));
    expect(sent).toEqual([]);
  });

  it('writes where an earlier process owns a field that is no longer asked for', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    cache.set('default/page', cached(live({ a: '1', b: '2' }, ownFields('a', 'b'))));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it.each<[string, ConfigMap]>([
    ['one more field', live({ a: '1', b: '2' }, ownFields('a', 'b'))],
    ['another owner reference', live({ a: '1' }, { ...ownFields('a'), ...ownReferences('u-blog', 'u-other') })],
  ])('sends again where an older process has applied %s in its name meanwhile', async (_, changed) => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', cached(live({ a: '1' }, ownFields('a'))));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(1);
    cache.set('default/page', cached(changed));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(2);
  });

  it("writes where the values are there already but are others'", async () => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    cache.set('default/page', cached(live({ a: '1' })));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('remembers nothing of the children of an owner that is gone', async () => {
    const { apply, cache, sent, instance } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    instance.forget(new ObjectKey('blog', 'default'));
    cache.set('default/page', live({ a: '1' }));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it.each<[string, unknown, Website, string]>([
    [
      'a kind that is not owned',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } },
      website(),
      'website: apply() was given apps/v1 Deployment, and the controller owns only v1 ConfigMap and v1 Namespace; add @Owns(Deployment) above its class',
    ],
    [
      'a child without a name',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      website(),
      "website: apply() was given a ConfigMap without metadata.name; give it a name that follows from its owner's",
    ],
    [
      'a child in another namespace',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page', namespace: 'other' } },
      website(),
      'Website default/blog cannot own ConfigMap other/page: they are in different namespaces; create it in default, or delete it in a finalizer instead',
    ],
    [
      'a cluster-scoped child',
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'web' } },
      website(),
      'Website default/blog cannot own Namespace web: an object with a namespace cannot own a cluster-scoped one; delete it in a finalizer instead',
    ],
    [
      'a child without a namespace, of a cluster-scoped owner',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } },
      website({ namespace: undefined }),
      'Website blog cannot own ConfigMap page: the child has no namespace; set metadata.namespace',
    ],
  ])('refuses %s before anything is sent', async (_, child, owner, message) => {
    const { apply, sent } = applier(refuseAll);
    await expect(apply(child, owner)).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  it('refuses a child that another object controls', async () => {
    const { apply, cache, sent } = applier(refuseAll);
    const other = { apiVersion: 'v1', kind: 'Blog', name: 'b', uid: 'u-b', controller: true };
    cache.set('default/page', live({}, undefined, { ownerReferences: [other] }));
    await expect(apply(page({}))).rejects.toThrow(
      'Website default/blog cannot own ConfigMap default/page: it belongs to Blog b (uid u-b); give the child a name of its own, or wait until the other is gone',
    );
    expect(sent).toEqual([]);
  });
});
