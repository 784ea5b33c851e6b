import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';

const core = '/api/v1/namespaces/default';
const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
const json = 'application/merge-patch+json';

/** One account for each set of rules. */
const accounts: Record<string, object[]> = {
  writer: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'update', 'patch'] }],
  deleter: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'update', 'patch', 'delete'] }],
  finalizer: [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'create', 'update', 'patch', 'delete'] },
    { apiGroups: [''], resources: ['configmaps/finalizers'], verbs: ['update'] },
  ],
};

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: '11111111-1111-4111-8111-111111111111' };
const blocking = { ...owner, blockOwnerDeletion: true };
const secret = (name: string, ownerReferences?: object[]) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name, namespace: 'default', ...(ownerReferences === undefined ? {} : { ownerReferences }) },
});
const patched = (ownerReferences: object[] | null) => ({ metadata: { ownerReferences } });

type Step = readonly [who: string, method: string, path: string, body: object, contentType?: string];

/** Executed one after the other: later steps change objects that earlier steps create. */
const steps: readonly Step[] = [
  ['writer', 'POST', `${core}/secrets`, secret('plain')],
  ['writer', 'POST', `${core}/secrets`, secret('owned', [owner])],
  ['writer', 'POST', `${core}/secrets`, secret('blocking', [blocking])],
  ['writer', 'PATCH', `${core}/secrets/plain`, { data: { a: 'eA==' } }, json],
  ['writer', 'PATCH', `${core}/secrets/plain`, patched([owner]), json],
  ['writer', 'PATCH', `${core}/secrets/owned`, patched(null), json],
  ['writer', 'PUT', `${core}/secrets/owned`, secret('owned', [owner])],
  [
    'writer',
    'PATCH',
    `${core}/secrets/applied?fieldManager=a`,
    secret('applied', [blocking]),
    'application/apply-patch+yaml',
  ],
  [
    'writer',
    'PATCH',
    `${core}/secrets/plain?fieldManager=a`,
    secret('plain', [blocking]),
    'application/apply-patch+yaml',
  ],
  ['deleter', 'PATCH', `${core}/secrets/plain`, patched([owner]), json],
  ['deleter', 'PATCH', `${core}/secrets/plain`, patched([blocking]), json],
  ['deleter', 'POST', `${core}/secrets`, secret('blocking', [blocking])],
  ['deleter', 'POST', `${core}/secrets`, secret('of-nobody', [{ ...blocking, kind: 'Nothing' }])],
  ['deleter', 'POST', `${core}/secrets`, secret('of-no-group', [{ ...blocking, apiVersion: 'example.org/v1' }])],
  ['deleter', 'POST', `${core}/secrets`, secret('of-node', [{ ...blocking, kind: 'Node' }])],
  ['finalizer', 'POST', `${core}/secrets`, secret('blocking', [blocking])],
  ['finalizer', 'PATCH', `${core}/secrets/plain`, patched([blocking]), json],
  ['writer', 'PATCH', `${core}/secrets/plain`, { data: { b: 'eA==' } }, json],
  ['writer', 'PATCH', `${core}/secrets/plain`, patched([{ ...blocking, controller: true }]), json],
  ['deleter', 'PATCH', `${core}/secrets/plain`, patched([{ ...blocking, controller: true }]), json],
  ['deleter', 'PATCH', `${core}/secrets/plain`, patched([owner]), json],
  ['deleter', 'PATCH', `${core}/secrets/plain`, patched(null), json],
];

describeWithRealServer('OwnerReferencesPermissionEnforcement on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    const name = 'OwnerReferencesPermissionEnforcement';
    servers = await Promise.all([
      realServer([`--enable-admission-plugins=${name}`]),
      embeddedServer({ controllers: false, enableAdmissionPlugins: [name] }),
    ]);
    for (const server of servers) await Promise.all(Object.keys(accounts).map((account) => grant(server, account)));
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(steps.map((step, index) => [index, step.slice(0, 3).join(' '), step] as const))(
    'returns the same response at step %d: %s',
    async (_, __, step) => {
      const [who, method, path, body, contentType] = step;
      const headers = { 'impersonate-user': who };
      const [real, embedded] = await Promise.all(
        servers.map((server) => server.send(method, path, { body, headers, ...(contentType && { contentType }) })),
      );
      expect(normalise({ status: embedded?.status, body: embedded?.body })).toEqual(
        normalise({ status: real?.status, body: real?.body }),
      );
    },
  );

  it('rejects some of the requests and accepts the others', async () => {
    const [, embedded] = servers;
    const path = `${core}/secrets?fieldManager=a`;
    const headers = { 'impersonate-user': 'writer' };
    const refused = await embedded?.send('POST', path, { body: secret('last', [blocking]), headers });
    const passed = await embedded?.send('POST', path, { body: secret('last', [owner]), headers });
    expect([refused?.status, passed?.status]).toEqual([403, 201]);
  });
});

async function grant(server: ComparedServer, name: string): Promise<void> {
  const metadata = { name };
  const rules = accounts[name];
  await server.send('POST', `${rbac}/roles`, { body: { metadata, rules } });
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name };
  const subjects = [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name }];
  await server.send('POST', `${rbac}/rolebindings`, { body: { metadata, roleRef, subjects } });
  // The real server's authorizer sees the new rules after a moment.
  for (;;) {
    const headers = { 'impersonate-user': name };
    const { status } = await server.send('GET', `${core}/secrets/none`, { headers });
    if (status === 404) return;
  }
}
