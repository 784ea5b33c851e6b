import { type ApiResource, KubernetesObject, ObjectKey, type ObjectMeta } from '@evenkeel/core';
import { ConfigMap, Deployment } from '@evenkeel/kinds';
import { AppliedInRun } from './applied-in-run.ts';
import type { OwnedKind } from './apply-child.ts';
import { ChildPruner } from './prune-children.ts';
import { type Answer, refusal, type SentRequest, scriptedClient } from './scripted-client.fixture.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

class Website extends KubernetesObject {}

const website = Object.assign(new Website(), {
  apiVersion: 'web.example.com/v1',
  kind: 'Website',
  metadata: { name: 'blog', namespace: 'default', uid: 'u-blog' },
});

const byBlog = { apiVersion: 'web.example.com/v1', kind: 'Website', name: 'blog', uid: 'u-blog', controller: true };

function page(name: string, metadata: Partial<ObjectMeta> = {}): ConfigMap {
  return Object.assign(new ConfigMap(), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace: 'default',
      uid: `u-${name}`,
      resourceVersion: '7',
      labels: { 'evenkeel.dev/controller': 'website' },
      ownerReferences: [byBlog],
      ...metadata,
    },
  });
}

const success: Answer = { status: 200, body: { kind: 'Status', apiVersion: 'v1', status: 'Success' } };

function pruning({
  cached = [] as ConfigMap[],
  answer = (_: SentRequest): Answer => success,
  isSynced = true,
  applied = new AppliedInRun(),
} = {}) {
  const { client, sent } = scriptedClient(answer);
  const children: OwnedKind[] = [
    {
      kind: ConfigMap,
      resource: maps,
      get: () => undefined,
      ownedBy: () => cached,
      isSynced: () => isSynced,
      selects: () => true,
    },
  ];
  const pruner = new ChildPruner({ controller: 'website', children, client });
  const { signal } = new AbortController();
  const prune = async (...[kinds, options = {}]: [(typeof ConfigMap)[]?, { dryRun?: boolean }?]): Promise<string[]> =>
    (await pruner.prune(website, kinds, applied, options, signal)).map(({ metadata }) => metadata.name);
  return { prune, sent, applied };
}

const nameOf = (path: string): string => path.split('/').at(-1) ?? '';

describe('ChildPruner', () => {
  it('deletes children that the run has not applied, with their resourceVersion as a precondition', async () => {
    const { prune, sent, applied } = pruning({ cached: [page('kept'), page('left')] });
    applied.add(maps, new ObjectKey('kept', 'default'));
    expect(await prune()).toEqual(['left']);
    expect(sent).toEqual([
      {
        method: 'DELETE',
        path: '/api/v1/namespaces/default/configmaps/left',
        body: expect.objectContaining({ preconditions: { uid: 'u-left', resourceVersion: '7' } }),
      },
    ]);
  });

  it.each<[string, Partial<ObjectMeta>]>([
    ['is controlled by another object', { ownerReferences: [{ ...byBlog, uid: 'u-other' }] }],
    ['is owned but not controlled by the object', { ownerReferences: [{ ...byBlog, controller: false }] }],
    ['has no owner', { ownerReferences: [] }],
    ['has the label of another operator', { labels: { 'evenkeel.dev/controller': 'blog' } }],
    ['is already being deleted', { deletionTimestamp: '2026-01-01T00:00:00Z' }],
  ])('does not delete an object that %s', async (_, metadata) => {
    const { prune, sent } = pruning({ cached: [page('other', metadata)] });
    expect([await prune(), sent]).toEqual([[], []]);
  });

  it('returns the children that it would delete, and deletes none, with dryRun', async () => {
    const { prune, sent, applied } = pruning({ cached: [page('left')] });
    expect(await prune([ConfigMap], { dryRun: true })).toEqual(['left']);
    expect(sent).toEqual([]);
    applied.add(maps, new ObjectKey('left', 'default'));
    expect(await prune([ConfigMap])).toEqual([]);
  });

  it.each<[string, ConfigMap, string[], string[]]>([
    ['is still a child', page('left', { resourceVersion: '9' }), ['DELETE', 'GET', 'DELETE'], ['left']],
    ['has another owner', page('left', { ownerReferences: [] }), ['DELETE', 'GET'], []],
    ['was recreated under the same name', page('left', { uid: 'u-new' }), ['DELETE', 'GET'], []],
  ])('checks the live object after a conflict: it %s', async (_, live, methods, deleted) => {
    const { prune, sent } = pruning({
      cached: [page('left')],
      answer: ({ method, body }) => {
        if (method === 'GET') return { status: 200, body: { metadata: {}, items: [live] } };
        const { preconditions } = body as { preconditions: { resourceVersion: string } };
        return preconditions.resourceVersion === '9' ? success : refusal(409, 'Conflict', 'changed');
      },
    });
    expect(await prune()).toEqual(deleted);
    expect(sent.map(({ method }) => method)).toEqual(methods);
  });

  it('ignores that a child is gone, and continues with the next', async () => {
    const { prune } = pruning({
      cached: [page('gone'), page('left')],
      answer: ({ path }) => (nameOf(path) === 'gone' ? refusal(404, 'NotFound', 'gone') : success),
    });
    expect(await prune()).toEqual(['left']);
  });

  it('throws if an apply of the run failed, even if the error was caught', async () => {
    const { prune, sent, applied } = pruning({ cached: [page('left')] });
    applied.failed(new Error('quota exceeded'));
    await expect(prune()).rejects.toThrow(
      'prune() of ConfigMap: cannot determine which children to keep, because an apply() of the same run failed (quota exceeded); let that error end the run',
    );
    expect(sent).toEqual([]);
  });

  it('throws if the cache has not synced', async () => {
    const { prune, sent } = pruning({ cached: [page('left')], isSynced: false });
    await expect(prune()).rejects.toThrow(
      'prune() of ConfigMap: the cache of configmaps has not synced; let the error end the run, which is then retried',
    );
    expect(sent).toEqual([]);
  });

  it('throws for a kind that the controller does not own', async () => {
    const { prune } = pruning();
    await expect(prune([Deployment as never])).rejects.toThrow(
      'website: prune() of Deployment: the controller owns only v1 ConfigMap; add @Owns(Deployment) above the controller class',
    );
  });

  it('makes a later apply of the kind throw', async () => {
    const { prune, applied } = pruning();
    await prune();
    expect(() => applied.add(maps, new ObjectKey('late', 'default'))).toThrow(
      'apply() of ConfigMap default/late: prune() of its kind was called before; apply all children first, then prune',
    );
  });
});
