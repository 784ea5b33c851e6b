import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import {
  clusterBinding,
  clusterBindings,
  clusterRole,
  clusterRoles,
  type EscalationCase,
  escalationCases,
  existing,
  mayWrite,
  users,
} from './role-escalation-cases.fixture.ts';

describeWithRealServer('writes of roles and bindings on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
    await Promise.all(servers.map(prepare));
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(escalationCases.map((escalation) => [escalation.title, escalation.user, escalation] as const))(
    'get the same response: %s by %s',
    async (_, __, escalation) => {
      const [real, embedded] = await Promise.all(servers.map((server) => sent(server, escalation)));
      expect(real?.status).toBe(escalation.status);
      expect(normalise(embedded)).toEqual(normalise(real));
    },
  );
});

async function sent(server: ComparedServer, { user, method, path, body, contentType }: EscalationCase) {
  const headers: Record<string, string> =
    user === 'admin' ? {} : { 'impersonate-user': user, 'impersonate-group': 'testers' };
  const { status, body: answer } = await server.send(method, path, { body, headers, contentType });
  return { status, body: answer };
}

async function prepare(server: ComparedServer): Promise<void> {
  for (const [path, body] of existing) await server.send('POST', path, { body });
  for (const [name, rules] of Object.entries({ ...users, carol: [mayWrite] })) {
    await server.send('POST', clusterRoles, { body: clusterRole(name, rules) });
    await server.send('POST', clusterBindings, { body: clusterBinding(name, name, name) });
  }
  // The real server's authorizer sees the new rules after a moment.
  for (const name of [...Object.keys(users), 'carol']) {
    for (;;) {
      const headers = { 'impersonate-user': name };
      const { status } = await server.send('GET', `${clusterRoles}/reader`, { headers });
      if (status === 200) break;
    }
  }
}
