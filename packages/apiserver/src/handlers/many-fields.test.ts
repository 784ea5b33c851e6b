import { ApiServer } from '../api-server.ts';
import { request, type TestAnswer } from '../request.fixture.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const widgets = '/apis/fields.example.com/v1/namespaces/default/widgets';

const definition = {
  metadata: { name: 'widgets.fields.example.com' },
  spec: {
    group: 'fields.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
      },
    ],
  },
};

const unknownFields = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown${index}`, index]));
const configMap = (name: string, count: number): object => ({ metadata: { name }, ...unknownFields(count) });
const widget = (name: string, count: number): object => ({
  apiVersion: 'fields.example.com/v1',
  kind: 'Widget',
  metadata: { name },
  spec: unknownFields(count),
});
const repeatedKeys = (name: string, count: number): string => {
  const keys = Array.from({ length: count }, (_, index) => `"k${index}":"a","k${index}":"a"`);
  return `{"metadata":{"name":"${name}"},"data":{${keys.join(',')}}}`;
};

const finalizers = (count: number): object => ({
  metadata: { finalizers: Array.from({ length: count }, (_, index) => `example.com/f${index}`) },
});

describe('a request with very many unknown fields', () => {
  let server: ApiServer;
  beforeAll(async () => {
    server = await ApiServer.create({ controllers: false });
    expect((await send('POST', crds, definition)).status).toBe(201);
    expect((await send('POST', configMaps, configMap('patched', 0))).status).toBe(201);
    const kept = { metadata: { name: 'deleted', finalizers: ['example.com/kept'] } };
    expect((await send('POST', configMaps, kept)).status).toBe(201);
    await request(server.transport(), 'DELETE', `${configMaps}/deleted`);
  });
  afterAll(() => server.close());

  const send = (method: 'POST' | 'PATCH', path: string, body: unknown, contentType = 'application/json') =>
    request(server.transport(), method, path, body, { 'content-type': contentType });

  const strict = '?fieldValidation=Strict';
  const merge = 'application/merge-patch+json';
  const strategic = 'application/strategic-merge-patch+json';

  it.each<[string, (count: number) => Promise<TestAnswer>, number]>([
    ['a ConfigMap', (count) => send('POST', configMaps, configMap(`a${count}`, count)), 201],
    ['a ConfigMap, strictly', (count) => send('POST', `${configMaps}${strict}`, configMap(`b${count}`, count)), 400],
    ['a merge patch', (count) => send('PATCH', `${configMaps}/patched`, unknownFields(count), merge), 200],
    ['a strategic patch', (count) => send('PATCH', `${configMaps}/patched`, unknownFields(count), strategic), 200],
    ['a custom resource', (count) => send('POST', widgets, widget(`a${count}`, count)), 201],
    ['a custom resource, strictly', (count) => send('POST', `${widgets}${strict}`, widget(`b${count}`, count)), 400],
    ['duplicate keys', (count) => send('POST', configMaps, repeatedKeys(`c${count}`, count / 2)), 201],
    ['finalizers that come too late', (count) => send('PATCH', `${configMaps}/deleted`, finalizers(count), merge), 422],
  ])('%s is handled in a time that grows only linearly with their number', async (_, ask, status) => {
    const cpuMs = async (count: number): Promise<number> => {
      const started = process.threadCpuUsage();
      const answer = await ask(count);
      const { user, system } = process.threadCpuUsage(started);
      expect(answer.status).toBe(status);
      // Upstream's limit, with the characters around each warning.
      expect((answer.headers['warning'] ?? '').length).toBeLessThan(2 * 4096);
      return (user + system) / 1000;
    };
    // A first run compiles the code.
    await cpuMs(1000);
    const fewMs = Math.max(10, await cpuMs(5000));
    // With quadratic growth, it would take a hundred times as long.
    expect(await cpuMs(50_000)).toBeLessThan(40 * fewMs);
  });

  it('returns warnings for the first hundred of a hundred thousand, like the real server', async () => {
    const { status, headers } = await send('POST', configMaps, configMap('most', 100_000));
    expect(status).toBe(201);
    expect(headers['warning']).toBe(
      Array.from({ length: 100 }, (_, index) => `299 - "unknown field \\"unknown${index}\\""`).join(', '),
    );
  });
});
