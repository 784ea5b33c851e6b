import { ControlledServer } from './controlled-server.fixture.ts';

const controllers = '/api/v1/namespaces/default/replicationcontrollers';
const pods = '/api/v1/namespaces/default/pods';

describe('a ReplicationController', () => {
  let server: ControlledServer;
  beforeAll(async () => {
    server = await ControlledServer.start();
  });
  afterAll(() => server.close());

  it('keeps its pods, and adopts one that its labels select', async () => {
    const labels = { app: 'old' };
    const spec = { containers: [{ name: 'a', image: 'a:1' }] };
    await server.send('POST', pods, { metadata: { name: 'orphan', labels }, spec });
    await server.send('POST', controllers, {
      metadata: { name: 'old' },
      spec: { replicas: 3, template: { metadata: { labels }, spec } },
    });
    await server.quiet();
    const { status } = await server.send('GET', `${controllers}/old`);
    expect(status).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 3,
      readyReplicas: 3,
      availableReplicas: 3,
      observedGeneration: 1,
    });
    const { items } = await server.send('GET', pods);
    const owners = (items as { metadata: { name: string; ownerReferences?: { kind: string }[] } }[]).map(
      ({ metadata }) => metadata.ownerReferences?.[0]?.kind,
    );
    expect(owners).toEqual(['ReplicationController', 'ReplicationController', 'ReplicationController']);
    await server.send('PATCH', `${controllers}/old`, { spec: { replicas: 1 } });
    await server.quiet();
    expect((await server.send('GET', pods)).items).toHaveLength(1);
  });
});
