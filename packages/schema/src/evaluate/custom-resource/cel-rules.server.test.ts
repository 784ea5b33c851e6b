import { type FieldError, invalidStatus, statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import type { ApiStatus } from '@evenkeel/core';
import {
  describeWithRealServer,
  type RealAnswer,
  type RealServer,
  startRealServer,
} from '../../../../../test/real-server.fixture.ts';
import { compileSchema, type ValidateOptions } from './compiled-schema.ts';
import { ruleSchema } from './rule-schema.fixture.ts';

const group = 'rules.example.com';
const path = `/apis/${group}/v1/samples`;
const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const crd = (strict: boolean) => ({
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
        subresources: { status: {} },
        schema: { openAPIV3Schema: ruleSchema(strict) },
      },
    ],
  },
});

type Spec = { readonly [key: string]: unknown };

const created: readonly Spec[] = [
  {},
  { min: 11 },
  { min: 13, max: 20 },
  { min: 13, max: -1 },
  { min: 13, max: 0 },
  { forbidden: 'x', min: 11 },
  { even: 3 },
  { even: 4 },
  { divisor: 0 },
  { divisor: 20 },
  { immutable: 'new' },
  { once: 'x' },
  { lower: 'ABC' },
  { mixed: 6 },
  { mixed: 3 },
  { mixed: 'text' },
  { nullable: null },
  { nullable: 'x' },
  { short: 'abcdef', even: 3 },
  { short: 'zz', even: 3 },
  { even: 'x', divisor: 0 },
  { max: 200, even: 3 },
  { set: ['x', 'y'] },
  { set: ['y', 'y'], even: 3 },
  { map: [{ name: 'no' }, { name: 'b', size: 5 }] },
  { labels: { a: 'x', b: 'y' } },
  { byKey: { a: 0, b: 1 } },
  { embedded: { apiVersion: 'v1', kind: 'Node' } },
  { embedded: { apiVersion: 'v1', kind: 'Pod' } },
  { 'odd-name': { 'a.b': 0 } },
];

/** A spec that is stored before the rules apply, and the spec that it is changed to afterwards. */
const updated: readonly (readonly [Spec, Spec])[] = [
  [{ min: 11 }, { min: 11 }],
  [{ min: 11 }, { min: 11, name: 'x' }],
  [{ min: 11 }, { min: 12 }],
  [{ even: 3 }, { even: 3, name: 'x' }],
  [{ even: 3 }, { even: 5 }],
  [{ divisor: 0 }, { divisor: 0, name: 'x' }],
  [{ immutable: 'a' }, { immutable: 'b' }],
  [{ immutable: 'a' }, { immutable: 'a' }],
  [{ immutable: 'a' }, {}],
  [{ once: 'a' }, { once: 'b' }],
  [{ once: 'a' }, { once: 'a' }],
  [{}, { once: 'a' }],
  [
    { name: 'a', max: 5 },
    { name: 'a', max: 6 },
  ],
  [
    { name: 'a', max: 5 },
    { name: 'b', max: 6 },
  ],
  [{ max: 200 }, { max: 200, name: 'a' }],
  [{ max: 200 }, { max: 201 }],
  [{ short: 'abcdef' }, { short: 'abcdef', name: 'a' }],
  [{ short: 'abcdef' }, { short: 'abcdefg' }],
  [{ set: ['x', 'y'] }, { set: ['x', 'y'], name: 'a' }],
  [{ set: ['x', 'y'] }, { set: ['x', 'y', 'z'] }],
  [{ set: ['a', 'b', 'c', 'd', 'e', 'f'] }, { set: ['a', 'b', 'c', 'd', 'e', 'f'], name: 'a' }],
  [{ set: ['a', 'b', 'c', 'd', 'e', 'f'] }, { set: ['a', 'b', 'c', 'd', 'e', 'g'] }],
  [
    { map: [{ name: 'a', size: 60, note: 'long' }, { name: 'b' }] },
    { map: [{ name: 'c' }, { name: 'a', size: 60, note: 'long' }] },
  ],
  [
    { map: [{ name: 'a', size: 60, note: 'long' }, { name: 'b' }] },
    { map: [{ name: 'a', size: 61, note: 'long' }, { name: 'b' }] },
  ],
  [{ map: [{ name: 'a', size: 5 }] }, { map: [{ name: 'b' }, { name: 'a', size: 4 }] }],
  [{ map: [{ name: 'no' }] }, { map: [{ name: 'no' }], name: 'a' }],
  [{ map: [{ name: 'no' }] }, { map: [{ name: 'no', size: 1 }] }],
  [{ labels: { a: 'x', b: 'y' } }, { labels: { a: 'x', b: 'z' } }],
  [{ labels: { a: 'x' } }, { labels: { a: 'x', b: 'x' } }],
  [{ free: { a: 7, b: 1 } }, { free: { a: 7, b: 2 } }],
  [{ free: { a: 7, b: 1 } }, { free: { a: 8, b: 1 } }],
  [
    { embedded: { apiVersion: 'v1', kind: 'Node', x: 1 } },
    { embedded: { apiVersion: 'v1', kind: 'Node', x: 1 }, name: 'a' },
  ],
  [{ embedded: { apiVersion: 'v1', kind: 'Node' } }, { embedded: { apiVersion: 'v1', kind: 'Node' }, name: 'a' }],
  [{ forbidden: 'x' }, { forbidden: 'x', name: 'a' }],
];

describeWithRealServer('rules evaluated here and by a real API server', () => {
  const schema = compileSchema(ruleSchema(true));
  const stored = new Map<number, RealAnswer['body']>();
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
    const create = await server.send('POST', crds, { body: crd(false) });
    if (create.status !== 201) throw new Error(JSON.stringify(create.body));
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
    for (const [index, [spec]] of updated.entries()) {
      const { status, body } = await server.send('POST', path, { body: objectOf(`u${index}`, spec) });
      if (status !== 201) throw new Error(JSON.stringify(body));
      const name = `${path}/u${index}/status`;
      const withStatus = await server.send('PUT', name, { body: { ...body, status: { ready: 7 } } });
      if (withStatus.status !== 200) throw new Error(JSON.stringify(withStatus.body));
      stored.set(index, withStatus.body);
    }
    const patched = await server.send('GET', `${crds}/samples.${group}`);
    const tight = { ...patched.body, spec: crd(true).spec };
    const tightened = await server.send('PUT', `${crds}/samples.${group}`, { body: tight });
    if (tightened.status !== 200) throw new Error(JSON.stringify(tightened.body));
    const broken = objectOf('bad-name', { min: 11 });
    await server.sendUntil(({ status }) => status === 422, 'POST', `${path}?dryRun=All`, { body: broken });
  });

  afterAll(() => server?.stop());

  it.each(created.map((spec) => [JSON.stringify(spec), spec]))(
    'give the same result on create with %s',
    async (_, spec) => {
      const object = objectOf('x', spec);
      const response = await server.send('POST', `${path}?dryRun=All`, { body: object });
      expectSameVerdict(response, object, { found: [] });
    },
  );

  it('give the same result on create with a name that a rule of the root rejects', async () => {
    const object = objectOf('bad-name', {});
    expectSameVerdict(await server.send('POST', `${path}?dryRun=All`, { body: object }), object, {});
  });

  it.each(updated.map(([from, to], index) => [JSON.stringify(from), JSON.stringify(to), index, to] as const))(
    'give the same result on update from %s to %s',
    async (_, __, index, spec) => {
      const old = stored.get(index) ?? {};
      const object = { ...old, spec };
      const response = await server.send('PUT', `${path}/u${index}?dryRun=All`, { body: object });
      expectSameVerdict(response, { ...object, metadata: {} }, { old: { ...old, metadata: {} } });
    },
  );

  it.each([
    [{ ready: 2 }, 0],
    [{ ready: 4 }, 0],
    [{ ready: 7 }, 0],
    [{ ready: 10 }, 0],
    [{ ready: 'x' }, 0],
    ['x', 0],
    [{ ready: 10, z: 1 }, 1],
    [undefined, 2],
  ])('give the same result on a write of the status %j', async (status, index) => {
    const old = stored.get(index) ?? {};
    const object = { ...old, status };
    const response = await server.send('PUT', `${path}/u${index}/status?dryRun=All`, { body: object });
    const own = JSON.parse(JSON.stringify({ ...object, metadata: {} }));
    expectSameVerdict(response, own, { old: { ...old, metadata: {} }, isStatus: true });
  });

  function expectSameVerdict(response: RealAnswer, object: unknown, options: ValidateOptions): void {
    const own = copyJson(object);
    schema.prune(own);
    schema.default(own);
    const errors = schema.validate(own, options);
    if (errors.length === 0) {
      expect(response.status < 300 ? 'accepted' : response.body).toBe('accepted');
      return;
    }
    expect(inOrderOf(response.body, errors)).toEqual(response.body);
  }
});

function objectOf(name: string, spec: Spec): { readonly [key: string]: unknown } {
  return { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name }, spec };
}

/** Our result with the errors in the server's order, which is random because it iterates over maps. */
function inOrderOf(theirs: Partial<ApiStatus>, errors: readonly FieldError[]): ApiStatus {
  const order = (theirs.details?.causes ?? []).map((cause) => JSON.stringify(cause));
  const place = (error: FieldError) => {
    const { reason, message, field } = statusCauseOf(error);
    return order.indexOf(JSON.stringify({ reason, message, field }));
  };
  const name = theirs.details?.name ?? '';
  return invalidStatus(
    { group, kind: 'Sample' },
    name,
    errors.toSorted((a, b) => place(a) - place(b)),
  );
}
