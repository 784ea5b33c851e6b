import { type ApiResource, KubernetesObject, ObjectKey } from '@evenkeel/core';
import { ConfigMap, Namespace } from '@evenkeel/kinds';
import { AppliedFieldsKeeper } from '../cache/applied-fields.ts';
import type { OwnedFields } from '../cache/index.ts';
import { AppliedInRun } from './applied-in-run.ts';
import { type ApplyChildOptions, ChildApplier, type DeriveChild, type OwnedKind } from './apply-child.ts';
import { type Answer, refusal, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';

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
// Requests need a kind, so the class needs @CustomResource.
Object.defineProperty(Website, Symbol.for('evenkeel.apiResource'), { value: websites });

function website(metadata: object = {}): Website {
  return Object.assign(new Website(), {
    apiVersion: 'web.example.com/v1',
    kind: 'Website',
    metadata: { name: 'blog', namespace: 'default', uid: 'u-blog', ...metadata },
  });
}

/** An apply does not list children. */
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

/** The object with the fields that the server adds. */
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

const nothing: Answer = { status: 200, body: { metadata: {}, items: [] } };

/** Unless `answer` handles reads, the server has no objects, and reads are not recorded. */
function applier(
  answer: (request: SentRequest) => Answer,
  { reads = false, isSelected = true, ...more }: { adopt?: boolean; reads?: boolean; isSelected?: boolean } = {},
) {
  const cache = new Map<string, ConfigMap>();
  const sent: SentRequest[] = [];
  const { client } = scriptedClient((request) => {
    if (request.method === 'GET' && !reads) return nothing;
    sent.push(request);
    return answer(request);
  });
  const children = [
    {
      kind: ConfigMap,
      resource: maps,
      get: (key: ObjectKey) => cache.get(String(key)),
      selects: () => isSelected,
      ...unlisted,
    },
    { kind: Namespace, resource: namespaces, get: () => undefined, selects: () => isSelected, ...unlisted },
  ] as OwnedKind[];
  const instance = new ChildApplier({
    controller: 'website',
    ownerKind: Website,
    owner: websites,
    children,
    client,
    ...more,
  });
  const apply = (child: unknown, owner = website(), options?: ApplyChildOptions): Promise<KubernetesObject> =>
    instance.apply(owner, child, new AppliedInRun(), new AbortController().signal, options);
  const applyFrom = (desired: DeriveChild, options?: ApplyChildOptions): Promise<KubernetesObject> => {
    const { signal } = new AbortController();
    return instance.applyFrom(website(), ConfigMap, 'page', desired, new AppliedInRun(), signal, options);
  };
  return { apply, applyFrom, cache, sent, instance };
}

/** The object in a cache that keeps the managedFields of the controller. */
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
  it('sends the child with its namespace, the label and the controller owner reference, and takes over fields of others', async () => {
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
            resourceVersion: '9223372036854775807',
            labels: { 'evenkeel.dev/controller': 'website' },
            ownerReferences: live({}).metadata.ownerReferences,
          },
          data: { a: '1' },
        },
      },
    ]);
  });

  it('sends nothing if nothing differs, and returns the cached object', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 201, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', live({ a: '1', theirs: 'too' }));
    expect(await apply(page({ a: '1' }))).toBe(cache.get('default/page'));
    expect(sent).toHaveLength(1);
  });

  it.each<[string, ConfigMap, ConfigMap]>([
    ['a value was changed by hand', page({ a: '1' }), live({ a: '2' })],
    ['a field is no longer desired', page({}), live({ a: '1' })],
    ['a new field is desired', page({ a: '1', b: '2' }), live({ a: '1', b: '2' })],
    ['another client recreated the object', page({ a: '1' }), live({ a: '1' }, undefined, { uid: 'u-other' })],
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

  it('sends one apply if the server stores a value in another form', async () => {
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

  it('sends nothing if, according to the cache, an earlier process has applied the same fields', async () => {
    const { apply, cache, sent } = applier(refuseAll);
    cache.set('default/page', cached(live({ a: '1' }, ownFields('a'))));
    await apply(page({ a: '1' }));
    await apply(page({ a: '1' }));
    expect(sent).toEqual([]);
  });

  it('sends an apply if an earlier process owns a field that is no longer desired', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    cache.set('default/page', cached(live({ a: '1', b: '2' }, ownFields('a', 'b'))));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it.each<[string, ConfigMap]>([
    ['one more field', live({ a: '1', b: '2' }, ownFields('a', 'b'))],
    ['another owner reference', live({ a: '1' }, { ...ownFields('a'), ...ownReferences('u-blog', 'u-other') })],
  ])('sends again if an older process with the same name has applied %s in the meantime', async (_, changed) => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    cache.set('default/page', cached(live({ a: '1' }, ownFields('a'))));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(1);
    cache.set('default/page', cached(changed));
    await apply(page({ a: '1' }));
    expect(sent).toHaveLength(2);
  });

  it('sends an apply if the values exist but other managers own them', async () => {
    const { apply, cache, sent } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    cache.set('default/page', cached(live({ a: '1' })));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH']);
  });

  it('drops the state for the children of an owner that is gone', async () => {
    const { apply, cache, sent, instance } = applier(() => ({ status: 200, body: live({ a: '1' }, ownFields('a')) }));
    await apply(page({ a: '1' }));
    instance.forget(new ObjectKey('blog', 'default'));
    cache.set('default/page', live({ a: '1' }));
    await apply(page({ a: '1' }));
    expect(sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
  });

  it.each<[string, unknown, Website, string]>([
    [
      'a kind that the controller does not own',
      { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'x' } },
      website(),
      'website: apply() of apps/v1 Deployment: the controller owns only v1 ConfigMap and v1 Namespace; add @Owns(Deployment) above the controller class',
    ],
    [
      'a child without a name',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: {} },
      website(),
      'website: apply() of ConfigMap: metadata.name is missing; derive it from the name of the owner',
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
      'Website default/blog cannot own Namespace web: a namespaced object cannot own a cluster-scoped one; delete it in a finalizer instead',
    ],
    [
      'a child without a namespace if its owner is cluster-scoped',
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'page' } },
      website({ namespace: undefined }),
      'Website blog cannot own ConfigMap page: the child has no namespace; set metadata.namespace',
    ],
  ])('throws for %s before it sends a request', async (_, child, owner, message) => {
    const { apply, sent } = applier(refuseAll);
    await expect(apply(child, owner)).rejects.toThrow(message);
    expect(sent).toEqual([]);
  });

  const blog = { apiVersion: 'v1', kind: 'Blog', name: 'b', uid: 'u-b', controller: true };
  const earlier = { apiVersion: 'web.example.com/v1', kind: 'Website', name: 'blog', uid: 'u-gone', controller: true };

  describe('if an object has the name of a child', () => {
    /** Responds like an API server that has one ConfigMap and perhaps the owner. */
    function server(existing: ConfigMap | undefined, owner: Website | undefined = website()) {
      return ({ method, path, body }: SentRequest): Answer => {
        if (method === 'GET') {
          const items = [path.includes('websites') ? owner : existing].filter((item) => item !== undefined);
          return { status: 200, body: { metadata: {}, items } };
        }
        const { uid, resourceVersion } = (body as ConfigMap).metadata;
        const isMet = uid === existing?.metadata.uid && [undefined, '7'].includes(resourceVersion);
        if (existing === undefined ? uid === undefined : isMet) {
          return { status: 200, body: live({ a: '1' }, ownFields('a')) };
        }
        return refusal(409, 'Conflict', 'the object has been modified');
      };
    }
    const methodsOf = (sent: readonly SentRequest[]): string[] => sent.map(({ method }) => method);

    const foreign: readonly [string, ConfigMap, string][] = [
      [
        'has no controller owner reference',
        live({}, undefined, { labels: {}, ownerReferences: [] }),
        'Website default/blog: cannot apply ConfigMap default/page: it exists, is not controlled by this Website and was not changed; use another name for the Website or for its ConfigMap, delete the existing ConfigMap if it is not needed, or let the operator take it over with apply(child, { adopt: true })',
      ],
      [
        'has no controller owner reference but has the label',
        live({}, undefined, { ownerReferences: [] }),
        'cannot apply ConfigMap default/page: it exists, is not controlled by this Website and was not changed',
      ],
      [
        'is owned but not controlled by the object',
        live({}, undefined, { ownerReferences: [{ ...earlier, uid: 'u-blog', controller: false }] }),
        'cannot apply ConfigMap default/page: it exists, is not controlled by this Website and was not changed',
      ],
      [
        'is controlled by another object',
        live({}, undefined, { ownerReferences: [blog] }),
        'Website default/blog: cannot apply ConfigMap default/page: it is controlled by Blog b (uid u-b) and was not changed; use another name for the Website or for its ConfigMap',
      ],
      [
        'is controlled by an object of the same kind in another group',
        live({}, undefined, { ownerReferences: [{ ...earlier, apiVersion: 'old.example.com/v1', uid: 'u-old' }] }),
        'it is controlled by old.example.com/v1 Website blog (uid u-old) and was not changed; use another name',
      ],
      [
        'is controlled by an earlier object of the same name',
        live({}, undefined, { ownerReferences: [earlier] }),
        'is controlled by an earlier Website blog (uid u-gone) and was not changed; wait until the garbage collector has deleted it',
      ],
      [
        'is being deleted',
        live({}, undefined, { ownerReferences: [], deletionTimestamp: '2026-01-01T00:00:00Z' }),
        'is being deleted, is not controlled by this Website and was not changed; wait until it is deleted',
      ],
    ];

    it.each(foreign)(
      'throws for a cached object that %s, after the server has confirmed it',
      async (_, object, message) => {
        const { apply, cache, sent } = applier(server(object), { reads: true });
        cache.set('default/page', object);
        await expect(apply(page({}))).rejects.toThrow(message);
        expect(methodsOf(sent)).toEqual(['GET']);
      },
    );

    it.each(foreign)('throws for an object that %s and is not cached', async (_, object, message) => {
      const { apply, sent } = applier(server(object), { reads: true });
      const applying = apply(page({}));
      await expect(applying).rejects.toThrow(message);
      await expect(applying).rejects.toMatchObject({ code: 'foreign-child' });
      expect(methodsOf(sent)).toEqual(['GET']);
    });

    it('restores the lost label of a child that is not cached, writes nothing else and throws', async () => {
      const { apply, sent } = applier(server(live({ b: '2' }, undefined, { labels: {} })), { reads: true });
      await expect(apply(page({ a: '1' }))).rejects.toMatchObject({
        code: 'child-not-cached',
        message:
          'Website default/blog: did not apply ConfigMap default/page: the child had lost the label evenkeel.dev/controller=website, so this run may have computed the child as if it did not exist; the label was restored and the run is retried. If this repeats, find the program that removes the label',
      });
      expect(methodsOf(sent)).toEqual(['GET', 'PATCH']);
      const labels = { 'evenkeel.dev/controller': 'website' };
      expect(sent[1]?.body).toEqual({ metadata: { uid: 'u-page', resourceVersion: '7', labels } });
    });

    it('names the other controller if a child that is not cached has its label', async () => {
      const labels = { 'evenkeel.dev/controller': 'redis' };
      const { apply, sent } = applier(server(live({ b: '2' }, undefined, { labels })), { reads: true });
      await expect(apply(page({ a: '1' }))).rejects.toMatchObject({
        code: 'child-not-cached',
        message:
          'Website default/blog: did not apply ConfigMap default/page: the child had the label evenkeel.dev/controller=redis of the controller redis, so this run may have computed the child as if it did not exist; the label was changed to website and the run is retried. If this repeats, the controllers redis and website apply the same child: let only one of them apply it, or use a different name in each',
      });
      expect(methodsOf(sent)).toEqual(['GET', 'PATCH']);
      expect(sent[1]?.body).toMatchObject({ metadata: { labels: { 'evenkeel.dev/controller': 'website' } } });
    });

    it('throws for a child that is not cached yet, without a write', async () => {
      const { apply, sent } = applier(server(live({ b: '2' })), { reads: true });
      await expect(apply(page({ a: '1' }))).rejects.toThrow(
        'Website default/blog: did not apply ConfigMap default/page: the cache does not contain the child yet, so this run may have computed the child as if it did not exist; no action is required, because the run is retried',
      );
      expect(methodsOf(sent)).toEqual(['GET']);
    });

    it('writes a child that the cache never contains, with its uid as a precondition', async () => {
      const { apply, sent } = applier(server(live({ b: '2' }, undefined, { labels: {} })), {
        reads: true,
        isSelected: false,
      });
      await apply(page({ a: '1' }));
      expect(methodsOf(sent)).toEqual(['GET', 'PATCH']);
      const metadata = (sent[1]?.body as ConfigMap | undefined)?.metadata;
      expect([metadata?.uid, metadata?.resourceVersion]).toEqual(['u-page', undefined]);
    });

    it('writes a cached child with its uid as a precondition', async () => {
      const child = live({ b: '2' });
      const { apply, cache, sent } = applier(server(child), { reads: true });
      cache.set('default/page', child);
      await apply(page({ a: '1' }));
      expect(sent.map(({ body }) => (body as ConfigMap).metadata.uid)).toEqual(['u-page']);
    });

    it('creates a child that is still cached but deleted on the server', async () => {
      const { apply, cache, sent } = applier(server(undefined), { reads: true });
      cache.set('default/page', live({ b: '2' }));
      await apply(page({ a: '1' }));
      expect(methodsOf(sent)).toEqual(['PATCH', 'GET', 'PATCH']);
    });

    it('throws for an object that another client created after the cached child was deleted', async () => {
      const invalidUid: Answer = refusal(422, 'Invalid', 'field is immutable');
      (invalidUid.body as { details?: object }).details = { causes: [{ field: 'metadata.uid' }] };
      const other = live({}, undefined, { uid: 'u-other', ownerReferences: [] });
      const answering = server(other);
      const { apply, cache, sent } = applier(
        (request) => (request.method === 'PATCH' ? invalidUid : answering(request)),
        { reads: true },
      );
      cache.set('default/page', live({ b: '2' }));
      await expect(apply(page({ a: '1' }))).rejects.toMatchObject({ code: 'foreign-child' });
      expect(methodsOf(sent)).toEqual(['PATCH', 'GET']);
    });

    it('throws the error of the server if another client is faster each time', async () => {
      const answering = server(live({}));
      const { apply, cache, sent } = applier(
        (request) =>
          request.method === 'PATCH' ? refusal(409, 'Conflict', 'the object has been modified') : answering(request),
        { reads: true },
      );
      cache.set('default/page', live({}));
      await expect(apply(page({ a: '1' }))).rejects.toThrow('the object has been modified');
      expect(methodsOf(sent).filter((method) => method === 'PATCH')).toHaveLength(4);
    });

    it.each<[string, { adopt?: boolean }, ApplyChildOptions | undefined]>([
      ['the call', {}, { adopt: true }],
      ['the controller', { adopt: true }, undefined],
    ])(
      'takes over an object without a controller if %s allows it, in the version that was read',
      async (_, ofController, ofCall) => {
        const { apply, sent } = applier(server(live({}, undefined, { ownerReferences: [] })), {
          ...ofController,
          reads: true,
        });
        await apply(page({ a: '1' }), website(), ofCall);
        expect(methodsOf(sent)).toEqual(['GET', 'GET', 'PATCH']);
        const metadata = (sent[2]?.body as ConfigMap | undefined)?.metadata;
        expect([metadata?.uid, metadata?.resourceVersion]).toEqual(['u-page', '7']);
      },
    );

    it.each(foreign.slice(3))('does not take over an object that %s', async (_, object, message) => {
      const { apply, sent } = applier(server(object), { adopt: true, reads: true });
      await expect(apply(page({}))).rejects.toThrow(message);
      expect(methodsOf(sent)).toEqual(['GET']);
    });

    it('takes over nothing if the call forbids it or the owner is gone', async () => {
      const orphan = live({}, undefined, { ownerReferences: [] });
      const denied = applier(server(orphan), { adopt: true, reads: true });
      await expect(denied.apply(page({}), website(), { adopt: false })).rejects.toMatchObject({
        code: 'foreign-child',
      });
      const gone = applier(server(orphan, website({ uid: 'u-new' })), { adopt: true, reads: true });
      await expect(gone.apply(page({}))).rejects.toThrow('was not adopted because this Website was deleted');
      expect(methodsOf(gone.sent)).toEqual(['GET', 'GET']);
    });

    describe('applyFrom()', () => {
      const derived = (stored: ConfigMap | undefined) => ({ data: { a: stored?.data?.['a'] ?? 'generated' } });
      const dataOf = (sent: readonly SentRequest[]): unknown[] =>
        sent.filter(({ method }) => method === 'PATCH').map(({ body }) => (body as ConfigMap).data);

      it('passes undefined if the server has no child, and creates it with the name', async () => {
        const { applyFrom, sent } = applier(server(undefined), { reads: true });
        await applyFrom(derived);
        expect(methodsOf(sent)).toEqual(['GET', 'PATCH']);
        expect(sent[1]?.body).toMatchObject({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'page', namespace: 'default', resourceVersion: '9223372036854775807' },
          data: { a: 'generated' },
        });
      });

      it.each<[string, object]>([
        ['is not cached', {}],
        ['lost its label', { labels: {} }],
      ])('passes the stored child that %s, and writes this version', async (_, metadata) => {
        const { applyFrom, sent } = applier(server(live({ a: 'kept' }, undefined, metadata)), { reads: true });
        await applyFrom(derived);
        expect(dataOf(sent)).toEqual([{ a: 'kept' }]);
        expect((sent[1]?.body as ConfigMap | undefined)?.metadata).toMatchObject({
          uid: 'u-page',
          resourceVersion: '7',
        });
      });

      it('passes the cached child, and sends nothing if the function returns the same', async () => {
        const { applyFrom, cache, sent } = applier(refuseAll);
        cache.set('default/page', cached(live({ a: 'kept' }, ownFields('a'))));
        await applyFrom(derived);
        expect(sent).toEqual([]);
      });

      it('calls the function again with the version that another client wrote in the meantime', async () => {
        const { applyFrom, cache, sent } = applier(server(live({ a: 'theirs' })), { reads: true });
        cache.set('default/page', live({}, undefined, { resourceVersion: '6' }));
        await applyFrom(derived);
        expect(methodsOf(sent)).toEqual(['PATCH', 'GET', 'PATCH']);
        expect(dataOf(sent)).toEqual([{ a: 'generated' }, { a: 'theirs' }]);
      });

      it('calls the function again if another process created the child in the meantime', async () => {
        let existing: ConfigMap | undefined;
        const { applyFrom, sent } = applier(
          (request) => {
            if (request.method === 'PATCH') existing ??= live({ a: 'theirs' });
            return server(existing)(request);
          },
          { reads: true },
        );
        await applyFrom(derived);
        expect(dataOf(sent)).toEqual([{ a: 'generated' }, { a: 'theirs' }]);
      });

      it('does not call the function for an object that is not a child', async () => {
        const { applyFrom, sent } = applier(server(live({}, undefined, { ownerReferences: [] })), { reads: true });
        const applying = applyFrom(() => {
          throw new Error('called');
        });
        await expect(applying).rejects.toMatchObject({ code: 'foreign-child' });
        await expect(applying).rejects.toThrow(
          'or let the operator take it over with applyFrom(ConfigMap, name, desired, { adopt: true })',
        );
        expect(methodsOf(sent)).toEqual(['GET']);
      });

      it('passes the object to take over if this is allowed', async () => {
        const { applyFrom, sent } = applier(server(live({ a: 'theirs' }, undefined, { ownerReferences: [] })), {
          reads: true,
        });
        await applyFrom(derived, { adopt: true });
        expect(dataOf(sent)).toEqual([{ a: 'theirs' }]);
      });

      it.each<[string, unknown, string]>([
        [
          'nothing',
          undefined,
          'website: applyFrom() of ConfigMap: the function returned null; return the desired ConfigMap',
        ],
        [
          'another name',
          { metadata: { name: 'other' } },
          'website: applyFrom() of ConfigMap: the function returned another metadata.name than that of ConfigMap default/page; omit the field',
        ],
        [
          'another kind',
          { kind: 'Secret' },
          'website: applyFrom() of ConfigMap: the function returned another kind than that of ConfigMap default/page; omit the field',
        ],
      ])('throws if the function returns %s', async (_, result, message) => {
        const { applyFrom, sent } = applier(server(undefined), { reads: true });
        const applying = applyFrom(() => result);
        await expect(applying).rejects.toThrow(message);
        await expect(applying).rejects.toMatchObject({ code: 'invalid-child' });
        expect(methodsOf(sent)).toEqual(['GET']);
      });
    });
  });
});
