import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';

const core = '/api/v1/namespaces/default';
const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const apply = 'application/apply-patch+yaml';

const verbs = ['get', 'patch', 'update'];
/** One account may only change existing objects, the other may also create them. */
const accounts: Record<string, readonly string[]> = { changer: verbs, maker: [...verbs, 'create'] };

const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'made' } };
const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'made' }, spec: {} };

function versioned(name: string, resourceVersion: string): object {
  return { ...secret, metadata: { name, resourceVersion } };
}

/** A Secret with a uid that no object has. */
function identified(name: string): object {
  return { ...secret, metadata: { name, uid: '00000000-0000-4000-8000-000000000001' } };
}

type Step = readonly [who: string, method: string, path: string, body: object, contentType?: string];

const steps: readonly Step[] = [
  ['changer', 'PATCH', `${core}/secrets/made?fieldManager=a`, secret, apply],
  ['changer', 'PUT', `${leases}/made`, lease],
  ['changer', 'PUT', `${core}/secrets/made`, secret],
  ['maker', 'PATCH', `${core}/secrets/made?fieldManager=a`, secret, apply],
  ['maker', 'PUT', `${leases}/made`, lease],
  ['changer', 'PATCH', `${core}/secrets/made?fieldManager=a`, { ...secret, stringData: { a: 'b' } }, apply],
  // A version is a precondition only for existing objects: with a version that no object has, an apply creates or conflicts.
  ['maker', 'PATCH', `${core}/secrets/first?fieldManager=a`, versioned('first', '9223372036854775807'), apply],
  ['maker', 'PATCH', `${core}/secrets/first?fieldManager=a`, versioned('first', '9223372036854775807'), apply],
  ['maker', 'PATCH', `${core}/secrets/first?fieldManager=a&force=true`, versioned('first', '1'), apply],
  ['maker', 'PUT', `${leases}/first`, { ...lease, metadata: { name: 'first', resourceVersion: '77' } }],
  ['maker', 'PATCH', `${core}/secrets/second?fieldManager=a`, versioned('second', 'x1'), apply],
  ['maker', 'PATCH', `${core}/secrets/second?fieldManager=a`, identified('second'), apply],
  ['maker', 'PATCH', `${core}/secrets/first?fieldManager=a`, identified('first'), apply],
];

describeWithRealServer('an apply or a PUT of a missing object, on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    for (const server of servers) await Promise.all(Object.keys(accounts).map((account) => grant(server, account)));
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(steps.map((step, index) => [index, step.slice(0, 3).join(' '), step] as const))(
    'gets the same response at step %d: %s',
    async (_, __, [who, method, path, body, contentType]) => {
      const headers = { 'impersonate-user': who };
      const [real, embedded] = await Promise.all(
        servers.map((server) => server.send(method, path, { body, headers, ...(contentType && { contentType }) })),
      );
      expect(normalise({ status: embedded?.status, body: embedded?.body })).toEqual(
        normalise({ status: real?.status, body: real?.body }),
      );
    },
  );

  it('is rejected for a user without permission to create', async () => {
    const headers = { 'impersonate-user': 'changer' };
    const body = { ...secret, metadata: { name: 'other' } };
    for (const server of servers) {
      const path = `${core}/secrets/other?fieldManager=a`;
      const { status } = await server.send('PATCH', path, { body, headers, contentType: apply });
      expect(status).toBe(403);
    }
  });
});

async function grant(server: ComparedServer, name: string): Promise<void> {
  const metadata = { name };
  const rules = [{ apiGroups: ['', 'coordination.k8s.io'], resources: ['secrets', 'leases'], verbs: accounts[name] }];
  await server.send('POST', `${rbac}/roles`, { body: { metadata, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  await server.send('POST', `${rbac}/rolebindings`, { body: { metadata, roleRef, subjects } });
  // The real server's authorizer sees the new rules after a moment.
  for (;;) {
    const { status } = await server.send('GET', `${core}/secrets/none`, { headers: { 'impersonate-user': name } });
    if (status === 404) return;
  }
}
