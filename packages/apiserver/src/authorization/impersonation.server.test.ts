import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';
import { impersonationStages, impersonations, sender } from './impersonation-requests.fixture.ts';

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles';
const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';
const accounts = `/api/v1/namespaces/${sender.namespace}/serviceaccounts`;
const whoAmI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';

type Headers = Readonly<Record<string, string | string[]>>;

/** Joins the values of each header, as the listeners of both servers do. */
function joined(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value : value.join(', '),
  ]);
  return Object.fromEntries(entries);
}

describeWithRealServer('impersonation on the real server and on the embedded one', () => {
  let real: RealServer;
  let embedded: ApiServer;
  let token: string;

  beforeAll(async () => {
    [real, embedded] = await Promise.all([startRealServer(), ApiServer.create({ controllers: false })]);
    await real.send('POST', accounts, { body: { metadata: { name: sender.name } } });
    const issued = await real.send('POST', `${accounts}/${sender.name}/token`, { body: { spec: {} } });
    token = issued.body.status.token;
  });

  afterAll(() => Promise.all([real?.stop(), embedded?.close()]));

  async function grant(name: string, rules: readonly object[]): Promise<void> {
    const role = { metadata: { name }, rules };
    const binding = {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name },
      subjects: [{ kind: 'ServiceAccount', ...sender }],
    };
    for (const [path, body] of [
      [roles, role],
      [bindings, binding],
    ] as const) {
      await real.send('POST', path, { body });
      await request(embedded.transport(), 'POST', path, body);
    }
    const review = {
      spec: {
        user: `system:serviceaccount:${sender.namespace}:${sender.name}`,
        resourceAttributes: attributesOf(rules),
      },
    };
    // The real server's authorizer sees a new role after a moment.
    await real.sendUntil(
      ({ body }) => body.status.allowed === true,
      'POST',
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      { body: review },
    );
  }

  it.each(impersonationStages.map((stage, index) => [stage.title, index] as const))(
    'rejects the same requests %s',
    async (_, index) => {
      const stage = impersonationStages[index];
      if (stage === undefined) throw new Error('no such stage');
      if (stage.rules.length > 0) await grant(`stage-${index}`, stage.rules);
      const user = {
        name: `system:serviceaccount:${sender.namespace}:${sender.name}`,
        groups: ['system:serviceaccounts', `system:serviceaccounts:${sender.namespace}`],
      };
      for (const [path, headers] of stage.requests) {
        const expected = await real.send('GET', path, {
          headers: { ...(headers as Record<string, string>), authorization: `Bearer ${token}` },
        });
        const actual = await request(embedded.transport(user), 'GET', path, undefined, joined(headers));
        expect({ path, headers, status: actual.status, body: actual.body }).toEqual({
          path,
          headers,
          status: expected.status,
          body: expected.body,
        });
      }
    },
  );

  it.each(impersonations.map((headers) => [JSON.stringify(headers), headers] as const))(
    'impersonates the same user with %s',
    async (_, headers) => {
      const options = { headers: headers as Record<string, string>, body: {} };
      const expected = await real.send('POST', whoAmI, options);
      const actual = await request(embedded.transport(), 'POST', whoAmI, {}, joined(headers));
      expect([actual.status, actual.body.status]).toEqual([expected.status, expected.body.status]);
    },
  );
});

/** The access that the last rule allows, as the attributes of a review. */
function attributesOf(rules: readonly object[]): object {
  const { apiGroups, resources, verbs } = rules.at(-1) as Record<string, string[]>;
  return { group: apiGroups?.[0], resource: resources?.[0], verb: verbs?.[0] };
}
