import { ApiServer } from '../api-server.ts';
import { request } from '../request.fixture.ts';

describe('OpenAPI v2 in protobuf', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
  });
  afterAll(() => server.close());

  it.each([
    'application/com.github.proto-openapi.spec.v2@v1.0+protobuf',
    'application/com.github.proto-openapi.spec.v2.v1.0+protobuf',
  ])('is an empty document for %s', async (accept) => {
    const { status, headers, body } = await request(server.transport(), 'GET', '/openapi/v2', undefined, { accept });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('application/com.github.proto-openapi.spec.v2.v1.0+protobuf');
    expect(body).toBe('\n\u00032.0\u0012\u0015\n\nKubernetes\u0012\u0007v1.36.3B\0');
  });

  it('is replaced by JSON if a client accepts both', async () => {
    const accept = 'application/json, application/com.github.proto-openapi.spec.v2.v1.0+protobuf;q=0.9';
    const { body } = await request(server.transport(), 'GET', '/openapi/v2', undefined, { accept });
    expect(body.swagger).toBe('2.0');
  });

  it('is not sent for unknown media types', async () => {
    const accept = 'application/x-nothing';
    expect((await request(server.transport(), 'GET', '/openapi/v2', undefined, { accept })).status).toBe(406);
  });
});
