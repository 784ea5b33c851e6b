import { type FieldError, statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { type CompiledSchema, compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { ClassSources } from '../source/class-sources.ts';
import { OxcSourceReader } from '../source/oxc-source-reader.ts';
import { customResourceDefinitionOf } from './generate.ts';
import { Word } from './vocabulary.fixture.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = '/apis/vocabulary.example.com/v1/namespaces/default/words';
const fixtureUrl = new URL('./vocabulary.fixture.ts', import.meta.url).href;

type Spec = Readonly<Record<string, unknown>>;

/** A valid spec; each case changes it. */
const least: Spec = { target: 80, zone: 'a' };

const resource = { apiVersion: 'v1', kind: 'Pod' };

function port(name: string, number = 80): object {
  return { name, port: number };
}

interface Verdict {
  /** The stored spec; undefined if it is rejected. */
  readonly spec: unknown;
  /** The errors: field and message, sorted. */
  readonly errors: readonly string[];
}

describeWithRealServer('every decorator on the real API server', () => {
  let server: RealServer;
  let schema: CompiledSchema;

  beforeAll(async () => {
    server = await startRealServer();
  });
  afterAll(() => server?.stop());

  it('gives a CRD that is accepted without a warning and stored unchanged', async () => {
    const sources = await ClassSources.read([fixtureUrl], {
      reader: new OxcSourceReader(),
      importModule: (url) => import(url),
    });
    const definition = await customResourceDefinitionOf(Word, { sources });
    const response = await server.send('POST', definitionsPath, { body: definition });
    expect([response.status, response.headers['warning'], response.body.message]).toEqual([201, undefined, undefined]);
    expect(response.body.spec.versions).toEqual(definition.spec.versions);
    schema = compileSchema(definition.spec.versions[0]?.schema?.openAPIV3Schema as StructuralSchema);
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
  });

  function objectOf(spec: Spec, name: string): object {
    return {
      apiVersion: 'vocabulary.example.com/v1',
      kind: 'Word',
      metadata: { name, namespace: 'default' },
      spec: { ...least, ...spec },
    };
  }

  /** The result of this package for an object. */
  function ours(object: object, old?: object): Verdict {
    const value = copyJson(object) as { spec?: unknown };
    schema.prune(value);
    schema.default(value);
    const errors = schema.validate(value, old === undefined ? {} : { old });
    return errors.length === 0 ? { spec: value.spec, errors: [] } : { spec: undefined, errors: textsOf(errors) };
  }

  /** The result of the API server, from a dry run. */
  async function theirs(method: 'POST' | 'PUT', object: object, name = ''): Promise<Verdict> {
    const url = `${path}${name}?dryRun=All&fieldValidation=Ignore`;
    const { status, body } = await server.send(method, url, { body: object });
    if (status < 300) return { spec: body.spec, errors: [] };
    const causes: readonly { field?: string; message?: string }[] = body.details?.causes ?? [{ message: body.message }];
    return { spec: undefined, errors: causes.map(({ field, message }) => `${field}: ${message}`).sort() };
  }

  const bothReject: readonly [string, Spec, RegExp][] = [
    ['null without @Nullable', { tags: [null] }, /spec\.tags\[0\]: Invalid value: "null"/],
    ['a value that a literal union does not list', { level: 'middle' }, /spec\.level: Unsupported value: "middle"/],
    ['an invalid time', { since: 'yesterday' }, /spec\.since: .*date-time/],
    ['a number beyond int32', { count: 2 ** 31 }, /spec\.count: .*less than or equal to 2147483647/],
    ['a fraction as int-or-string', { target: 1.5 }, /spec\.target/],
    ['an invalid quantity', { memory: '1 Gi' }, /spec\.memory: .*should match/],
    ['an invalid duration', { every: '3 days' }, /spec\.every: .*should match/],
    ['a resource without kind', { anything: { apiVersion: 'v1' } }, /spec\.anything\.kind: Required value/],
    ['an invalid name', { template: { ...resource, metadata: { name: 'a/b' } } }, /metadata\.name: .*may not contain/],
    ['raw keywords', { raw: 'long' }, /spec\.raw: Too long/],
    ['a scalar instead of an object with unknown fields', { loose: 3 }, /spec\.loose: .*must be of type object/],
    ['two items with one key', { ports: [port('a'), port('a')] }, /spec\.ports\[1\]: Duplicate value/],
    ['a set with duplicates', { tags: ['a', 'a'] }, /spec\.tags\[1\]: Duplicate value/],
    ['a long item', { tags: ['abcdefghijk'] }, /spec\.tags\[0\]: Too long/],
    ['an empty map', { limits: {} }, /spec\.limits: .*at least 1 properties/],
    ['a large map', { limits: { a: 1, b: 1, c: 1, d: 1 } }, /spec\.limits: Too many/],
    ['a negative value', { limits: { a: -1 } }, /spec\.limits\.a: .*greater than or equal to 0/],
    ['a value that violates its rule', { limits: { a: 100 } }, /spec\.limits\[a\]: .*failed rule: self < 100\.0/],
    ['a number in a list of lists', { matrix: [[1], [2, 10]] }, /spec\.matrix\[1\]\[1\]: .*less than 10/],
    ['an object in a list of lists', { portMatrix: [[{ name: 'a' }]] }, /spec\.portMatrix\[0\]\[0\]\.port: Required/],
    ['an exclusive minimum', { ratio: 0 }, /spec\.ratio: .*greater than 0/],
    ['an exclusive maximum that is not whole', { ratio: 1.5 }, /spec\.ratio: .*must be less than 1\.5/],
    ['a part of a step', { step: 0.25 }, /spec\.step: .*must be a multiple of 0\.1/],
    ['a number that is not a multiple', { fives: 7 }, /spec\.fives: .*multiple of 5/],
    ['a rule of the class', { small: 6 }, /spec\.small: Forbidden: small is larger than large/],
    ['none of exactly one', { groups: { least1: '' } }, /spec\.groups: .*exactly one of exact-1, exact2 must be set/],
    ['two of exactly one', { groups: { 'exact-1': '', exact2: '', least1: '' } }, /exactly one of exact-1, exact2/],
    ['two of at most one', { groups: { exact2: '', most1: '', most2: '', least1: '' } }, /at most one of most1, most2/],
    ['none of at least one', { groups: { exact2: '' } }, /at least one of least1, least2 must be set/],
    ['a union without its discriminator', { check: { http: { path: '/' } } }, /spec\.check\.type: Required value/],
    ['a union without its member', { check: { type: 'Http' } }, /spec\.check\.http: .*must be set if type is Http/],
    ['a union with another member', { check: { type: 'None', tcp: {} } }, /spec\.check\.tcp: .*must not be set/],
    ['an unknown variant', { store: { type: 'tape' } }, /spec\.store\.type: Unsupported value: "tape"/],
    [
      'a variant without its required property',
      { store: { type: 'disk' } },
      /spec\.store\.size: .*must be set if type is disk/,
    ],
    ["another variant's property", { store: { type: 'bucket', bucket: 'b', size: 1 } }, /spec\.store\.size/],
    ["a variant's rule", { store: { type: 'bucket', bucket: 'b', prefix: 'b' } }, /bucket and prefix must differ/],
    ['the first level of a recursion', { tree: { name: 'a', children: [{}] } }, /children\[0\]\.name: Required value/],
  ];

  it.each(bothReject)('rejects %s', async (_title, spec, error) => {
    const object = objectOf(spec, 'refused');
    const verdict = await theirs('POST', object);
    expect(verdict.errors.join('\n')).toMatch(error);
    expect(ours(object)).toEqual(verdict);
  });

  const bothAccept: readonly [string, Spec, Spec][] = [
    ['null that is kept', { note: null, level: null }, { note: null, level: null }],
    ['null that is dropped', { large: null, since: null }, { large: 5 }],
    ['defaults', {}, { small: 3, large: 5, level: 'low', grows: 0, ports: [], config: { replicas: 1 } }],
    ['an integer as int-or-string', { target: 8080 }, { target: 8080 }],
    ['a string as int-or-string', { target: 'http' }, { target: 'http' }],
    ['quantities', { memory: '1Gi' }, { memory: '1Gi' }],
    ['a whole number as quantity', { memory: 1 }, { memory: 1 }],
    ['durations', { every: '1h30m0.5s' }, { every: '1h30m0.5s' }],
    [
      'an embedded resource, whose unknown fields are pruned',
      { template: { ...resource, metadata: { name: 'a', labels: { a: 'b' }, annotations: { c: 'd' } }, odd: 1 } },
      {
        template: {
          ...resource,
          metadata: { name: 'a', labels: { a: 'b' }, annotations: { c: 'd' } },
          spec: { replicas: 2 },
        },
      },
    ],
    ['an embedded resource of any kind', { anything: { ...resource, odd: 1 } }, { anything: { ...resource, odd: 1 } }],
    ['any JSON', { extra: [1, { a: null }] }, { extra: [1, { a: null }] }],
    ['unknown fields that are preserved', { loose: { odd: { a: 1 } }, odd: 1 }, { loose: { odd: { a: 1 } } }],
    ['null in a list of nullable items', { matrixByName: { a: ['b', null] } }, { matrixByName: { a: ['b', null] } }],
    ['steps of 0.1', { step: 0.3 }, { step: 0.3 }],
    ['a whole number of steps', { step: 4 }, { step: 4 }],
    ['a negative step', { step: -0.7 }, { step: -0.7 }],
    ['one of each group', { groups: { 'exact-1': '', least1: '', least2: '' } }, {}],
    ['a union', { check: { type: 'Either', tcp: {} } }, { check: { type: 'Either', tcp: { port: 80 } } }],
    ['a union without member', { check: { type: 'None' } }, { check: { type: 'None' } }],
    ['a variant', { store: { type: 'disk', size: 3, bucket: 'b' } }, {}],
    ['another variant', { store: { type: 'bucket', bucket: 'b', prefix: '/', label: 'l' } }, {}],
    [
      'a recursion, with unknown fields preserved below the known levels',
      { tree: { name: 'a', children: [{ name: 'b', odd: 1, children: [{ odd: 1 }] }] } },
      { tree: { name: 'a', children: [{ name: 'b', children: [{ odd: 1 }] }] } },
    ],
    ['odd names', { $ref: 'a', 'a/b': 'c', 'x-owner': 'd' }, { $ref: 'a', 'a/b': 'c', 'x-owner': 'd' }],
  ];

  it.each(bothAccept)('accepts %s', async (_title, spec, stored) => {
    const object = objectOf(spec, 'accepted');
    const verdict = await theirs('POST', object);
    expect(verdict).toMatchObject({ errors: [], spec: stored });
    expect(ours(object)).toEqual(verdict);
  });

  const updates: readonly [string, Spec, Spec, RegExp | undefined][] = [
    ['a change of an immutable value', {}, { zone: 'b' }, /spec\.zone: .*field is immutable/],
    ['a change of an optional value', { 'x-owner': 'a' }, { 'x-owner': 'b' }, /x-owner: .*field is immutable/],
    ['the removal of a value that was set', { 'x-owner': 'a' }, {}, /x-owner: .*once set, it cannot be removed/],
    ['a value that is set later', {}, { 'x-owner': 'a' }, undefined],
    ['a rule with an old self', { grows: 3 }, { grows: 2 }, /spec\.grows: .*must not shrink/],
    ['growth', { grows: 3 }, { grows: 4 }, undefined],
  ];

  it.each(updates)('gives the same result as the server for an update: %s', async (title, before, after, error) => {
    const name = title.replace(/\W+/g, '-');
    const { body: old, status } = await server.send('POST', path, { body: objectOf(before, name) });
    expect(status).toBe(201);
    const object = { ...objectOf(after, name), metadata: old.metadata };
    const verdict = await theirs('PUT', object, `/${name}`);
    expect(verdict.errors.join('\n')).toMatch(error ?? /^$/);
    expect(ours(object, old)).toEqual(verdict);
  });

  it('applies a rule of the kind to its metadata', async () => {
    const object = objectOf({}, 'taken');
    const verdict = await theirs('POST', object);
    expect(verdict.errors).toEqual(['<nil>: Invalid value: the name is taken']);
    expect(ours(object)).toEqual(verdict);
  });

  it('applies a rule with optionalOldSelf to new objects', async () => {
    const object = objectOf({ grows: -1 }, 'new');
    const verdict = await theirs('POST', object);
    expect(verdict.errors.join('\n')).toMatch(/spec\.grows: .*must not shrink/);
    expect(ours(object)).toEqual(verdict);
  });

  it('merges a list by its keys, and does not merge an atomic map', async () => {
    const apply = (manager: string, spec: Spec) =>
      server.send('PATCH', `${path}/merged?fieldManager=${manager}&force=true`, {
        body: objectOf(spec, 'merged'),
        contentType: 'application/apply-patch+yaml',
      });
    await apply('one', { ports: [port('a', 1)], limits: { a: 1 } });
    const { body, status } = await apply('two', { ports: [port('b', 2)], limits: { b: 2 } });
    expect(status).toBe(200);
    expect(body.spec.ports).toEqual([
      { name: 'a', port: 1, weight: 1 },
      { name: 'b', port: 2, weight: 1 },
    ]);
    expect(body.spec.limits).toEqual({ b: 2 });
  });
});

function textsOf(errors: readonly FieldError[]): string[] {
  return errors
    .map(statusCauseOf)
    .map(({ field, message }) => `${field}: ${message}`)
    .sort();
}
