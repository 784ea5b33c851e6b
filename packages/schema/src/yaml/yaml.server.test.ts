import { SeededRandom, SystemRandom } from '@evenkeel/core';
import type { CustomResourceDefinition } from '@evenkeel/kinds';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { randomYaml, trickyTexts } from './random-yaml.fixture.ts';
import { customResourceDefinitionYaml } from './yaml.ts';

describeWithRealServer('YAML of CRDs on the real API server', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server.stop());

  it('is read back unchanged, with every string as a string', async () => {
    const seed = new SystemRandom().integer(2 ** 31);
    const random = new SeededRandom(seed);
    const randomTexts = Array.from({ length: 500 }, () => randomYaml(random)).filter(
      (value) => typeof value === 'string',
    );
    const data = Object.fromEntries([...trickyTexts, ...randomTexts].map((text, i) => [`key-${i}`, text]));
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'texts' },
      data,
      // The comment above the document needs it; the server drops it.
      spec: { names: { kind: 'Texts' } },
    };
    const { status, body } = await server.send('POST', '/api/v1/namespaces/default/configmaps', {
      body: customResourceDefinitionYaml(object as unknown as CustomResourceDefinition),
      contentType: 'application/yaml',
    });
    expect({ seed, status, message: body.message }).toEqual({ seed, status: 201 });
    expect({ seed, data: body.data }).toEqual({ seed, data });
  });

  it('cannot contain a lone surrogate, for which JSON gets another character', async () => {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'halves' }, data: { text: 'x\ud83dy' } };
    const path = '/api/v1/namespaces/default/configmaps';
    const yaml = customResourceDefinitionYaml({
      ...object,
      spec: { names: { kind: 'Halves' } },
    } as unknown as CustomResourceDefinition);
    const rejected = await server.send('POST', path, { body: yaml, contentType: 'application/yaml' });
    expect(rejected.body.message).toContain('found invalid Unicode character escape code');
    const stored = await server.send('POST', path, { body: JSON.stringify(object) });
    expect(stored.body.data).toEqual({ text: 'x\ufffdy' });
  });

  it('is read back with the same numbers', async () => {
    const numbers = [0, -0, 1.5, 1e20, 1e21, -1e21, 1e-7, 5e-100, 1e100, 2 ** 53, -(2 ** 53), 2 ** 63];
    const properties = Object.fromEntries(numbers.map((value, i) => [`n${i}`, { type: 'number', default: value }]));
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'numbers.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { kind: 'Numbers', plural: 'numbers', singular: 'numbers', listKind: 'NumbersList' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', properties } } },
        ],
      },
    };
    const { status, body } = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      body: customResourceDefinitionYaml(definition as unknown as CustomResourceDefinition),
      contentType: 'application/yaml',
    });
    expect(status).toBe(201);
    const stored = body.spec.versions[0].schema.openAPIV3Schema.properties;
    expect(numbers.map((_, i) => stored[`n${i}`].default)).toEqual(numbers.map((value) => value + 0));
  });
});
