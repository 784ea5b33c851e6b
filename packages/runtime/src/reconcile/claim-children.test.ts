import { type ApiResource, KubernetesObject, type ObjectMeta } from '@evenkeel/core';
import { ConfigMap } from '@evenkeel/kinds';
import { AppliedInRun } from './applied-in-run.ts';
import { ChildClaimer } from './claim-children.ts';
import { type Answer, refusal, scriptedClient } from './scripted-client.fixture.ts';

const maps: ApiResource = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const websites: ApiResource = { ...maps, group: 'web.example.com', kind: 'Website', plural: 'websites' };

class Website extends KubernetesObject {}
// Requests need a kind, so the class needs @CustomResource.
Object.defineProperty(Website, Symbol.for('evenkeel.apiResource'), { value: websites });

const website = (metadata: Partial<ObjectMeta> = {}): Website =>
  Object.assign(new Website(), {
    apiVersion: 'web.example.com/v1',
    kind: 'Website',
    metadata: { name: 'blog', namespace: 'default', uid: 'u-blog', ...metadata },
  });

const orphan = { metadata: { name: 'orphan', namespace: 'default', uid: 'u-orphan', resourceVersion: '7' } };

async function claiming(owner: Website | undefined, object: object = orphan, patched?: Answer) {
  const { client, sent } = scriptedClient(({ method, path }) => {
    if (method === 'PATCH') return patched ?? { status: 200, body: object };
    const items = path.includes('websites') ? [owner].filter(Boolean) : [object];
    return { status: 200, body: { metadata: {}, items } };
  });
  const claimer = new ChildClaimer({
    controller: 'website',
    ownerKind: Website,
    owner: websites,
    children: [
      {
        kind: ConfigMap,
        resource: maps,
        get: () => undefined,
        ownedBy: () => [],
        isSynced: () => true,
        selects: () => true,
      },
    ],
    client,
  });
  const selector = { matchLabels: { app: 'blog' } };
  const claimed = await claimer.claim(website(), ConfigMap, selector, new AppliedInRun(), new AbortController().signal);
  return { claimed, methods: sent.map(({ method }) => method), bodies: sent.map(({ body }) => body) };
}

describe('ChildClaimer', () => {
  it('adopts objects with the resourceVersion that was read as a precondition', async () => {
    const { claimed, methods, bodies } = await claiming(website());
    expect([claimed.length, methods]).toEqual([1, ['GET', 'GET', 'PATCH']]);
    expect(bodies[2]).toEqual({
      metadata: {
        uid: 'u-orphan',
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
      },
    });
  });

  it.each<[string, Website | undefined]>([
    ['is gone', undefined],
    ['is being deleted', website({ deletionTimestamp: '2026-01-01T00:00:00Z' })],
    ['was recreated under the same name', website({ uid: 'u-new' })],
  ])('adopts nothing for an owner that %s on the server, even if it is cached', async (_, owner) => {
    const { claimed, methods } = await claiming(owner);
    expect([claimed, methods]).toEqual([[], ['GET', 'GET']]);
  });

  it('does not adopt objects that are being deleted', async () => {
    const object = { metadata: { ...orphan.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    const { claimed, methods } = await claiming(website(), object);
    expect([claimed, methods]).toEqual([[], ['GET']]);
  });

  it('ignores that an object is gone, and fails if another client changed it in the meantime', async () => {
    const owner = website();
    expect((await claiming(owner, orphan, refusal(404, 'NotFound', 'gone'))).claimed).toEqual([]);
    await expect(claiming(owner, orphan, refusal(409, 'Conflict', 'changed'))).rejects.toThrow('changed');
  });
});
