import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';

const deployments = '/apis/apps/v1/namespaces/default/deployments';
const deployment = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  metadata: { name: 'web' },
  spec: {
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } },
  },
};

describe('the body of a subresource', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    await request(server.transport(), 'POST', deployments, deployment);
  });
  afterAll(() => server.close());

  it('must be a Scale of the object in the path', async () => {
    const put = (body: object) => request(server.transport(), 'PUT', `${deployments}/web/scale`, body);
    expect((await put(deployment)).body.message).toBe(
      'Deployment in version "v1" cannot be handled as a Scale: converting (v1.Deployment) to (autoscaling.Scale): unknown conversion',
    );
    expect((await put({ metadata: { name: 'other' }, spec: { replicas: 3 } })).status).toBe(400);
    const { body } = await request(server.transport(), 'GET', `${deployments}/web`);
    expect(body.spec.replicas).toBe(1);
    expect((await put({ metadata: { name: 'web' }, spec: { replicas: 3 } })).body.spec.replicas).toBe(3);
  });

  it('must still be a Scale after a patch', async () => {
    const patch = (body: object) =>
      request(server.transport(), 'PATCH', `${deployments}/web/scale`, body, {
        'content-type': 'application/merge-patch+json',
      });
    const refused = await patch({ kind: 'Foo' });
    expect(refused.status).toBe(422);
    expect(refused.body.message).toContain('no kind "Foo" is registered for version "autoscaling/v1"');
    expect((await patch({ metadata: { name: 'other' } })).status).toBe(400);
  });

  it('is validated before the object is looked up', async () => {
    const evict = (body: object) =>
      request(server.transport(), 'POST', '/api/v1/namespaces/default/pods/none/eviction', body);
    expect((await evict({ kind: 'Pod', apiVersion: 'v1' })).status).toBe(400);
    expect((await evict({ metadata: { name: 'other' } })).body.message).toBe(
      'name in URL does not match name in Eviction object',
    );
    expect((await evict({ metadata: { name: 'none' } })).status).toBe(404);
  });
});
