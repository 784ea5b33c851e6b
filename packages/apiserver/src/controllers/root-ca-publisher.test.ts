import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';

const path = (namespace: string): string => `/api/v1/namespaces/${namespace}/configmaps/kube-root-ca.crt`;

describe('the root certificate publisher', () => {
  let server: ApiServer;
  afterEach(() => server.close());

  async function published(namespace: string): Promise<{ data: Record<string, string> }> {
    for (;;) {
      const { status, body } = await request(server.transport(), 'GET', path(namespace));
      if (status === 200) return body;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('publishes the CA certificate in each namespace when the server listens', async () => {
    server = await ApiServer.create();
    await request(server.transport(), 'POST', '/api/v1/namespaces', { metadata: { name: 'new' } });
    const [old, fresh] = [await published('default'), await published('new')];
    const { caPem } = await server.listen();
    expect(old.data).toEqual({ 'ca.crt': caPem });
    expect(fresh.data).toEqual({ 'ca.crt': caPem });
  });

  it('restores a changed or deleted ConfigMap, except in a terminating namespace', async () => {
    server = await ApiServer.create();
    const { data } = await published('default');
    const patch = { 'content-type': 'application/merge-patch+json' };
    const { body } = await request(
      server.transport(),
      'PATCH',
      path('default'),
      { data: { 'ca.crt': 'mine', more: '1' } },
      patch,
    );
    expect(body.data).toMatchObject({ more: '1' });
    while (Object.keys((await published('default')).data).length > 1) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await published('default')).toMatchObject({ data });
    await request(server.transport(), 'DELETE', path('default'));
    expect((await published('default')).data).toEqual(data);
    await request(server.transport(), 'POST', '/api/v1/namespaces', { metadata: { name: 'brief' } });
    await published('brief');
    await request(server.transport(), 'DELETE', '/api/v1/namespaces/brief');
    while ((await request(server.transport(), 'GET', '/api/v1/namespaces/brief')).status !== 404) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect((await request(server.transport(), 'GET', path('brief'))).status).toBe(404);
  });
});
