import { describeWithRealServer } from '../../../../test/real-server.fixture.ts';
import { type ComparedServer, embeddedServer, normalise, realServer } from '../comparison.fixture.ts';
import { yamlBodies } from './yaml-bodies.fixture.ts';

const path = '/api/v1/namespaces/default/configmaps?dryRun=All';

describeWithRealServer('bodies in YAML on the real server and on the embedded one', () => {
  let servers: readonly ComparedServer[] = [];
  beforeAll(async () => {
    servers = await Promise.all([realServer(), embeddedServer()]);
  });
  afterAll(() => Promise.all(servers.map((server) => server.stop())));

  it.each(yamlBodies)('get the same response: %s', async (_, body) => {
    const [real, embedded] = await Promise.all(
      servers.map(async (server) => {
        const answer = await server.send('POST', path, { body, contentType: 'application/yaml' });
        return { status: answer.status, body: normalise(answer.body) };
      }),
    );
    expect(embedded).toEqual(real);
  });
});
