import { type FieldError, invalidStatus, statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import type { ApiStatus } from '@evenkeel/core';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import { compileSchema } from './compiled-schema.ts';
import { sampleScale, sampleSchema } from './sample-schema.fixture.ts';
import { formatTexts, sampleSpecs } from './sample-specs.fixture.ts';

const group = 'evaluate.example.com';
const path = `/apis/${group}/v1/samples`;

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `samples.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'samples', singular: 'sample', kind: 'Sample', listKind: 'SampleList' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { scale: sampleScale },
        schema: { openAPIV3Schema: sampleSchema },
      },
    ],
  },
};

describeWithRealServer('objects validated here and by a real API server', () => {
  const schema = compileSchema(sampleSchema, { scale: sampleScale });
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
    const created = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: crd });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
  });

  afterAll(() => server?.stop());

  /** The result of both for an object: the spec that would be stored, or the errors. */
  async function validateBoth(spec: unknown): Promise<{ ours: unknown; theirs: unknown }> {
    const object = { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec };
    const response = await server.send('POST', `${path}?dryRun=All&fieldValidation=Ignore`, { body: object });
    const own = copyJson(object);
    schema.prune(own);
    schema.default(own);
    const errors = schema.validate(own);
    if (errors.length === 0)
      return { ours: own.spec, theirs: response.status === 201 ? response.body['spec'] : response.body };
    return { ours: inOrderOf(response.body, errors), theirs: response.body };
  }

  it.each(sampleSpecs.map((spec) => [JSON.stringify(spec).slice(0, 80), spec]))('spec %s', async (_, spec) => {
    const { ours, theirs } = await validateBoth(spec);
    expect(ours).toEqual(theirs);
  });

  it.each(Object.entries(formatTexts))('give the same result for strings of format %s', async (format, texts) => {
    for (const text of texts) {
      const { ours, theirs } = await validateBoth({ formats: { [format]: text } });
      expect({ text, verdict: ours }).toEqual({ text, verdict: theirs });
    }
  });

  it('have the same unknown fields in strict validation', async () => {
    const object = {
      apiVersion: `${group}/v1`,
      kind: 'Sample',
      metadata: { name: 'x' },
      spec: { closed: { b: 1 }, listDefaults: [{ c: 1 }, { b: 'x' }], labelDefaults: { 'a/b': { z: 1 } }, 'x y': 1 },
      status: {},
    };
    const response = await server.send('POST', `${path}?dryRun=All&fieldValidation=Strict`, { body: object });
    const unknown = schema.prune(copyJson(object)).map((field) => `unknown field "${field}"`);
    expect(response.body['message']).toContain(`strict decoding error: ${unknown.join(', ')}`);
  });
});

/** Our result with the errors in the server's order, which is random because it iterates over maps. */
function inOrderOf(theirs: Partial<ApiStatus>, errors: readonly FieldError[]): ApiStatus {
  const order = (theirs.details?.causes ?? []).map((cause) => JSON.stringify(cause));
  const place = (error: FieldError) => {
    const { reason, message, field } = statusCauseOf(error);
    return order.indexOf(JSON.stringify({ reason, message, field }));
  };
  return invalidStatus(
    { group, kind: 'Sample' },
    'x',
    errors.toSorted((a, b) => place(a) - place(b)),
  );
}
