import { accessOf, blockedOwnersOf, changesOwners } from './request-access.ts';

describe('accessOf()', () => {
  it.each<[string, 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string, object]>([
    ['a get', 'GET', '/api/v1/namespaces/a/pods/b', { verb: 'get', resource: 'pods', namespace: 'a', name: 'b' }],
    ['a list', 'GET', '/apis/apps/v1/deployments?limit=500', { verb: 'list', group: 'apps', resource: 'deployments' }],
    ['a watch', 'GET', '/api/v1/pods?watch=true', { verb: 'watch', resource: 'pods' }],
    [
      'a list of one name',
      'GET',
      '/api/v1/namespaces/a/pods?fieldSelector=metadata.name%3Db',
      { verb: 'list', resource: 'pods', namespace: 'a', name: 'b' },
    ],
    ['a create', 'POST', '/api/v1/namespaces/a/pods', { verb: 'create', resource: 'pods', namespace: 'a' }],
    [
      'a subresource',
      'PATCH',
      '/api/v1/namespaces/a/pods/b/status',
      { verb: 'patch', resource: 'pods', subresource: 'status', namespace: 'a', name: 'b' },
    ],
    [
      'a delete of all',
      'DELETE',
      '/api/v1/namespaces/a/pods',
      { verb: 'deletecollection', resource: 'pods', namespace: 'a' },
    ],
    ['a namespace', 'GET', '/api/v1/namespaces/a', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
  ])('reads %s', (_, method, path, access) => {
    expect(accessOf({ method, path })).toEqual({ group: '', subresource: '', namespace: '', name: '', ...access });
  });

  it('returns the path without its query for a non-resource request', () => {
    expect(accessOf({ method: 'GET', path: '/openapi/v3?timeout=32s' })).toEqual({ verb: 'get', path: '/openapi/v3' });
  });
});

describe('owners in the body of a write', () => {
  const owner = { apiVersion: 'web.example.com/v1', kind: 'Site', name: 'blog', uid: 'u', blockOwnerDeletion: true };
  const body = JSON.stringify({ metadata: { ownerReferences: [owner, { ...owner, blockOwnerDeletion: false }] } });
  const patch = { method: 'PATCH', path: '/', body } as const;

  it('blockedOwnersOf returns the owners whose deletion it blocks', () => {
    const blocked = [{ group: 'web.example.com', kind: 'Site', name: 'blog' }];
    expect(blockedOwnersOf(patch)).toEqual(blocked);
    expect(blockedOwnersOf({ ...patch, body: Buffer.from(body) })).toEqual(blocked);
    expect(blockedOwnersOf({ ...patch, method: 'DELETE' })).toEqual([]);
    expect(blockedOwnersOf({ ...patch, body: 'blockOwnerDeletion: true, ownerReferences' })).toEqual([]);
    expect(blockedOwnersOf({ ...patch, body: '{"metadata":{"ownerReferences":{}}}' })).toEqual([]);
    expect(blockedOwnersOf({ ...patch, body: '{"metadata":null,"a":"ownerReferences"}' })).toEqual([]);
  });

  it('changesOwners returns whether it changes them, which an apply does not', () => {
    expect(changesOwners(patch)).toBe(true);
    expect(changesOwners({ ...patch, headers: { 'content-type': 'application/apply-patch+yaml' } })).toBe(false);
    expect(changesOwners({ ...patch, body: '{"metadata":{"labels":{}}}' })).toBe(false);
    expect(changesOwners({ ...patch, method: 'POST' })).toBe(false);
  });
});
