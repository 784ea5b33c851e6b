import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { Cache } from './cache.fixture.ts';
import { customResourceDefinitionOf, customResourcesIn } from './generate.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const nginxUrl = new URL('../../../../examples/nginx/src/nginx.ts', import.meta.url).href;
const cacheUrl = new URL('./cache.fixture.ts', import.meta.url).href;

function readSources(): Promise<ClassSources> {
  return ClassSources.read([nginxUrl, cacheUrl], {
    reader: new OxcSourceReader(),
    importModule: (url) => import(url),
  });
}

describeWithRealServer('generated CRDs on the real API server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server.stop());

  it('are accepted without a warning and stored unchanged', async () => {
    const sources = await readSources();
    const [nginx] = customResourcesIn(await import(nginxUrl));
    if (nginx === undefined) throw new Error('the example exports no resource');
    for (const type of [nginx, Cache]) {
      const definition = await customResourceDefinitionOf(type, sources);
      const response = await server.send('POST', definitionsPath, { body: definition });
      expect({
        status: response.status,
        warning: response.headers['warning'],
        name: response.body.metadata?.name,
      }).toEqual({
        status: 201,
        warning: undefined,
        name: definition.metadata.name,
      });
      expect(response.body.spec.versions).toEqual(definition.spec.versions);
    }
  });

  it('give an empty Nginx its defaults, and reject what the class rejects', async () => {
    const path = '/apis/web.example.com/v1alpha1/namespaces/default/nginxes';
    const nginx = { apiVersion: 'web.example.com/v1alpha1', kind: 'Nginx', metadata: { name: 'plain' } };
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
    const plain = await server.send('POST', path, { body: nginx });
    expect(plain.body.spec).toEqual({ replicaCount: 1, port: 80, image: 'nginx:1.29' });
    const many = await server.send('POST', path, {
      body: { ...nginx, metadata: { name: 'many' }, spec: { replicaCount: 51 } },
    });
    expect([many.status, many.body.message]).toEqual([
      422,
      'Nginx.web.example.com "many" is invalid: spec.replicaCount: Invalid value: 51: spec.replicaCount in body should be less than or equal to 50',
    ]);
  });
});
