import { createClient, httpsTransport, loadConnection, readBody } from '@evenkeel/client';
import type { Transport } from '@evenkeel/core';
import { type Access, type RbacRole, roleAllows } from '@evenkeel/core/rbac';
import { ClusterRole } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { everyonesRole } from './everyones-role.ts';
import { grantRoles, impersonating, tokenOf } from './operator-account.ts';
import { accessOf } from './request-access.ts';

const maps = '/api/v1/namespaces/default/configmaps';
const byName = 'fieldSelector=metadata.name%3Dknown';

/** Each of these requests needs a different permission. */
const requests: readonly (readonly ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string])[] = [
  ['GET', maps],
  ['GET', '/api/v1/configmaps?limit=1'],
  ['GET', `${maps}?watch=true`],
  ['GET', `${maps}?watch=0`],
  ['GET', `/api/v1/watch/namespaces/default/configmaps`],
  ['GET', `${maps}?${byName}`],
  ['GET', `${maps}?watch=1&${byName}`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dknown,metadata.namespace%3Ddefault`],
  ['GET', `${maps}?fieldSelector=metadata.namespace%3Ddefault,metadata.name%3D%3Dknown`],
  ['GET', `${maps}?fieldSelector=metadata.name!%3Dknown`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dknown,metadata.name%3Dother`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dkno\\wn`],
  ['GET', `${maps}?fieldSelector=metadata.name%3Dkno%252fwn`],
  ['GET', `${maps}?fieldSelector=known`],
  ['GET', `/api/v1/watch/namespaces/default/configmaps?${byName}`],
  ['GET', `${maps}/known`],
  ['GET', `${maps}/other`],
  ['POST', maps],
  ['PUT', `${maps}/known`],
  ['PATCH', `${maps}/known`],
  ['DELETE', `${maps}/known`],
  ['DELETE', `${maps}/other`],
  ['DELETE', maps],
  ['DELETE', `${maps}?${byName}`],
  ['GET', '/api/v1/namespaces/default'],
  ['GET', '/api/v1/namespaces'],
  ['PUT', '/api/v1/namespaces/default/finalize'],
  ['PATCH', '/api/v1/namespaces/default/status'],
  ['GET', '/api/v1/nodes/known'],
  ['GET', '/api/v1/nodes/known/proxy/metrics'],
  ['POST', '/api/v1/namespaces/default/pods/known/eviction'],
  ['GET', '/api/v1/namespaces/default/pods/known/log?follow=true'],
  ['POST', '/api/v1/namespaces/default/pods/known/exec?command=a'],
  ['PATCH', '/apis/apps/v1/namespaces/default/deployments/known/scale'],
  ['PUT', '/apis/apps/v1/namespaces/default/deployments/known/status'],
  ['GET', '/apis/nowhere.example.com/v1/things'],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['GET', '/metrics'],
  ['GET', '/logs/'],
  ['POST', '/metrics'],
  ['GET', '/api'],
  ['GET', '/apis/apps/v1'],
  ['GET', '/openapi/v3/apis/apps/v1'],
  ['GET', '/readyz'],
  ['GET', '/livez/ping'],
  ['GET', '/version'],
];

const named: RbacRole = {
  part: 'operator',
  namespace: undefined,
  rules: [
    {
      group: '',
      resource: 'configmaps',
      names: ['known'],
      verbs: ['get', 'list', 'watch', 'patch', 'delete', 'deletecollection'],
      reasons: [],
    },
    { group: '', resource: 'nodes/proxy', names: [], verbs: ['get'], reasons: [] },
    { path: '/logs/*', verbs: ['get'], reasons: [] },
  ],
};

describeWithRealServer('the permission of a request, compared with a real server', () => {
  let server: RealServer;
  let admin: Transport;
  beforeAll(async () => {
    server = await startRealServer();
    admin = httpsTransport(await loadConnection({ kubeconfig: server.kubeconfig }));
  });
  afterAll(async () => {
    await admin?.close();
    await server?.stop();
  });

  /** Returns the status and the body of the response; ends a started watch. */
  async function responseTo(
    transport: Transport,
    [method, path]: (typeof requests)[number],
  ): Promise<{ status: number; text: string }> {
    const abort = new AbortController();
    const hasBody = method === 'POST' || method === 'PUT' || method === 'PATCH';
    const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const response = await transport.request({
      method,
      path: method === 'DELETE' ? `${path}${path.includes('?') ? '&' : '?'}dryRun=All` : path,
      headers: { 'content-type': contentType },
      ...(hasBody ? { body: '{}' } : {}),
      signal: abort.signal,
    });
    if (response.status !== 403) {
      abort.abort(new Error('enough'));
      return { status: response.status, text: '' };
    }
    return { status: response.status, text: (await readBody(response)).toString('utf8') };
  }

  it.each(requests)('derives the same permission as the server from %s %s', async (method, path) => {
    const nobody = impersonating(admin, { name: 'nobody', namespace: 'default', serviceAccount: 'nobody' });
    const access = accessOf({ method, path });
    const { status, text } = await responseTo(nobody, [method, path]);
    expect([status === 403, path]).toEqual([!roleAllows(everyonesRole, access), path]);
    if (status === 403) expect(JSON.parse(text).message).toContain(rejectionOf(access));
  });

  it('allows the same names, subresources and paths as the server', async () => {
    const identity = { name: 'named', namespace: 'default', serviceAccount: 'named' };
    await grantRoles(admin, [named], identity);
    const connection = await loadConnection({ kubeconfig: server.kubeconfig });
    const token = await tokenOf(admin, identity);
    const headers = { authorization: `Bearer ${token}` };
    const account = httpsTransport({ ...connection, credentials: async () => ({ headers }) });
    try {
      // The server's authorizer knows a role a moment later.
      while ((await responseTo(account, ['GET', '/logs/'])).status === 403)
        await new Promise((done) => setTimeout(done, 20));
      for (const [method, path] of requests) {
        const access = accessOf({ method, path });
        const allowed = [named, everyonesRole].some((role) => roleAllows(role, access));
        expect([method, path, (await responseTo(account, [method, path])).status !== 403]).toEqual([
          method,
          path,
          allowed,
        ]);
      }
    } finally {
      await account.close();
    }
  });

  it('has the default roles that the audit assumes', async () => {
    const names = ['basic-user', 'discovery', 'public-info-viewer', 'service-account-issuer-discovery'];
    const client = createClient(admin);
    const roles = await Promise.all(names.map((name) => client.get(ClusterRole, `system:${name}`)));
    const theirs = roles.flatMap(({ rules }) => rules ?? []);
    const spelt = theirs.flatMap(({ apiGroups = [], resources = [], nonResourceURLs = [], verbs }) => [
      ...apiGroups.flatMap((group) => resources.map((resource) => `${verbs} ${resource}.${group}`)),
      ...nonResourceURLs.map((url) => `${verbs} ${url}`),
    ]);
    const ours = everyonesRole.rules.map((rule) =>
      'path' in rule ? `${rule.verbs} ${rule.path}` : `${rule.verbs} ${rule.resource}.${rule.group}`,
    );
    expect(ours.toSorted()).toEqual([...new Set(spelt)].sort());
  });
});

/** Returns the part of the server's message that describes the request. */
function rejectionOf(access: Access): string {
  if ('path' in access) return `cannot ${access.verb} path "${access.path}"`;
  const { verb, group, resource, subresource, namespace } = access;
  const combined = subresource === '' ? resource : `${resource}/${subresource}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
  return `cannot ${verb} resource "${combined}" in API group "${group}" ${where}`;
}
