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

describeWithRealServer('objects judged here and by a real API server', () => {
  const schema = compileSchema(sampleSchema, { scale: sampleScale });
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
    const created = await server.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: crd });
    if (created.status !== 201) throw new Error(JSON.stringify(created.body));
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
  });

  afterAll(() => server?.stop());

  /** What both make of an object: the spec as it would be stored, or why it is refused. */
  async function judge(spec: unknown): Promise<{ ours: unknown; theirs: unknown }> {
    const object = { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: 'x' }, spec };
    const answer = await server.send('POST', `${path}?dryRun=All&fieldValidation=Ignore`, { body: object });
    const own = copyJson(object);
    schema.prune(own);
    schema.default(own);
    const errors = schema.validate(own);
    if (errors.length === 0)
      return { ours: own.spec, theirs: answer.status === 201 ? answer.body['spec'] : answer.body };
    return { ours: inOrderOf(answer.body, errors), theirs: answer.body };
  }

  it.each(sampleSpecs.map((spec) => [JSON.stringify(spec).slice(0, 80), spec]))('spec %s', async (_, spec) => {
    const { ours, theirs } = await judge(spec);
    expect(ours).toEqual(theirs);
  });

  it.each(Object.entries(formatTexts))('texts of format %s', async (format, texts) => {
    for (const text of texts) {
      const { ours, theirs } = await judge({ formats: { [format]: text } });
      expect({ text, verdict: ours }).toEqual({ text, verdict: theirs });
    }
  });

  it('names the unknown fields that strict validation refuses', async () => {
    const object = {
      apiVersion: `${group}/v1`,
      kind: 'Sample',
      metadata: { name: 'x' },
      spec: { closed: { b: 1 }, listDefaults: [{ c: 1 }, { b: 'x' }], labelDefaults: { 'a/b': { z: 1 } }, 'x y': 1 },
      status: {},
    };
    const answer = await server.send('POST', `${path}?dryRun=All&fieldValidation=Strict`, { body: object });
    const unknown = schema.prune(copyJson(object)).map((field) => `unknown field "${field}"`);
    expect(answer.body['message']).toContain(`strict decoding error: ${unknown.join(', ')}`);
  });
});

/** Our answer with the errors in the server's order, which follows maps and so is any. */
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
