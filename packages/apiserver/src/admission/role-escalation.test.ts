import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import {
  clusterBinding,
  clusterBindings,
  clusterRole,
  clusterRoles,
  escalationCases,
  existing,
  users,
} from './role-escalation-cases.fixture.ts';

describe('roleEscalation()', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    for (const [path, object] of existing) await request(server.transport(), 'POST', path, object);
    for (const [name, rules] of Object.entries(users)) {
      await request(server.transport(), 'POST', clusterRoles, clusterRole(name, rules));
      await request(server.transport(), 'POST', clusterBindings, clusterBinding(name, name, name));
    }
  });
  afterAll(() => server.close());

  const cases = escalationCases.filter(({ user }) => user in users);
  it.each(cases.map((it) => [it.title, it.user, it.status, it] as const))(
    'responds to %s by %s with %i',
    async (_, user, status, { method, path, body, contentType }) => {
      const transport = server.transport({ name: user, groups: [] });
      expect((await request(transport, method, path, body, { 'content-type': contentType })).status).toBe(status);
    },
  );

  it('lists the missing rules sorted, with their verbs together', async () => {
    const rules = [
      { apiGroups: [''], resources: ['secrets', 'nodes'], verbs: ['list', 'get'] },
      { nonResourceURLs: ['/b', '/a'], verbs: ['get'] },
      { apiGroups: [''], resources: ['nodes'], verbs: ['watch'] },
    ];
    const writer = server.transport({ name: 'writer', groups: ['testers'] });
    const { body } = await request(writer, 'POST', clusterRoles, clusterRole('x', rules));
    expect(body.message).toMatchInlineSnapshot(`
"clusterroles.rbac.authorization.k8s.io "x" is forbidden: user "writer" (groups=["testers" "system:authenticated"]) is attempting to grant RBAC permissions not currently held:
{APIGroups:[""], Resources:["nodes"], Verbs:["list" "get" "watch"]}
{APIGroups:[""], Resources:["secrets"], Verbs:["list" "get"]}
{NonResourceURLs:["/a"], Verbs:["get"]}
{NonResourceURLs:["/b"], Verbs:["get"]}"
`);
  });
});
