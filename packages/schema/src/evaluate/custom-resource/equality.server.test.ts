import { statusCauseOf } from '@evenkeel/apimachinery/field-error';
import { copyJson } from '@evenkeel/apimachinery/json';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../../test/real-server.fixture.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { compileSchema } from './compiled-schema.ts';

const group = 'equality.example.com';
const path = `/apis/${group}/v1/samples`;
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const list = (items: StructuralSchema, more: StructuralSchema = {}): StructuralSchema => ({
  type: 'array',
  maxItems: 5,
  items,
  ...more,
});
const set = (items: StructuralSchema) => list(items, { 'x-kubernetes-list-type': 'set' });
const keyed = (properties: NonNullable<StructuralSchema['properties']>, ...keys: string[]) =>
  list(
    { type: 'object', properties, required: keys },
    { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys },
  );
const map = (additionalProperties: StructuralSchema): StructuralSchema => ({
  type: 'object',
  maxProperties: 5,
  additionalProperties,
});
const text: StructuralSchema = { type: 'string', maxLength: 40 };
const integer: StructuralSchema = { type: 'integer' };
const double: StructuralSchema = { type: 'number' };
const formatted = (format: string): StructuralSchema => ({ ...text, format });
const nullable = (schema: StructuralSchema): StructuralSchema => ({ ...schema, nullable: true });

/** The schema of a property, its first value, and the value of an update that a rule forbids. */
const cases: readonly (readonly [title: string, schema: StructuralSchema, old: unknown, next?: unknown])[] = [
  ['list', list(text), ['a', 'b']],
  ['list in another order', list(text), ['a', 'b'], ['b', 'a']],
  ['list with a null', list(text), ['a', null]],
  ['list with a null after a changed item', list(nullable(text)), ['a', null], ['b', null]],
  ['list with a null item that is new', list(nullable(text)), ['a', 'b'], ['a', null]],
  ['list with a null item that is gone', list(nullable(text)), ['a', null], ['a', 'b']],
  ['list with a null list that is new', list(nullable(list(text))), [['a']], [null]],
  ['list with a null list that is gone', list(nullable(list(text))), [null], [['a']]],
  ['list with a null list that stays', list(nullable(list(text))), [null]],
  ['list with a null map that is new', list(nullable(map(text))), [{ a: 'b' }], [null]],
  ['list of the wrong type', list(text), ['a', 1]],
  ['list of dates', list(formatted('date')), ['2026-01-02']],
  ['list of invalid dates', list(formatted('date')), ['bad']],
  ['list of invalid dates in lists', list(list(formatted('date'))), [['2026-01-02'], ['bad']]],
  ...['', '2', '2026', '2026/01/02', '2026-1-02', '2026-13-02', '2026-02-30', '2026-01-02x', 'ä"\\', '2026-01-0'].map(
    (date) => [`date ${JSON.stringify(date)}`, formatted('date'), date] as const,
  ),
  ...[
    '',
    'bad',
    '2026-01-02T03:04:05',
    '2026-01-02T3:04:05',
    '2026-01-02t03:04:05z',
    '2026-01-02T03:04:05z',
    '2026-01-02T24:04:05Z',
    '2026-01-02T03:60:05Z',
    '2026-01-02T03:04:60Z',
    '2026-01-02T03:04:05,5Z',
    '2026-01-02T03:04:05.5',
    '2026-01-02T03:04:05x5Z',
    '2026-02-30T03:04:05Z',
    '2026-01-02T03:04:05+25:00',
    '2026-01-02T03:04',
    '2026-01-02',
  ].map((time) => [`time ${JSON.stringify(time)}`, formatted('date-time'), time] as const),
  ...['', 'bad', '1', '1 day', '5m'].map(
    (duration) => [`duration ${JSON.stringify(duration)}`, formatted('duration'), duration] as const,
  ),
  ...[
    '',
    'YW',
    'YWI',
    'YQ==',
    'YQ=',
    'YQ=x',
    'YQ==x',
    'YWI=',
    'YWI=x',
    'a+b/',
    'a-b_',
    'Y\nWJj',
    '=abc',
    'Y===',
    'Yäbc',
  ].map((bytes) => [`bytes ${JSON.stringify(bytes)}`, formatted('byte'), bytes] as const),
  ['bytes with an equal but different encoding', formatted('byte'), 'YQ==', 'YR=='],
  ['set of bytes', set(formatted('byte')), ['YQ==']],
  ['list of times', list(formatted('date-time')), ['2026-01-02T03:04:05Z'], ['2026-01-02T04:04:05+01:00']],
  ['list of bytes', list(formatted('byte')), ['YWJj']],
  ['list of invalid bytes', list(formatted('byte')), ['YW-']],
  ['list of numbers', list(double), [1, 1.5]],
  ['set', set(text), ['a', 'b'], ['b', 'a']],
  ['set with another element', set(text), ['a', 'b'], ['a', 'c']],
  ['set with a duplicate', set(text), ['a', 'a'], ['a', 'b']],
  ['set with a null', set(text), ['a', null]],
  ['set with an element of the wrong type', set(text), ['a', 1]],
  ['set of integers', set(integer), [1, 2], [2, 1]],
  ['set of whole numbers', set(double), [1, 2]],
  ['set of numbers', set(double), [1.5, 2.5], [2.5, 1.5]],
  ['set of dates', set(formatted('date')), ['2026-01-02']],
  ['set of invalid dates', set(formatted('date')), ['bad']],
  ['set with a map', set(text), ['a', {}]],
  ['set with a list', set(text), [['a']]],
  ['list by keys that are lists', keyed({ k: text }, 'k'), [{ k: ['a'] }]],
  ['set of booleans', set({ type: 'boolean' }), [true, false], [false, true]],
  ['set of texts or integers', set({ 'x-kubernetes-int-or-string': true }), [1, '1'], ['1', 1]],
  ['list by keys', keyed({ k: text, v: integer }, 'k'), [{ k: 'a', v: 1 }, { k: 'b' }], [{ k: 'b' }, { k: 'a', v: 1 }]],
  ['list by keys with another value', keyed({ k: text, v: integer }, 'k'), [{ k: 'a', v: 1 }], [{ k: 'a', v: 2 }]],
  ['list by keys with a null', keyed({ k: text }, 'k'), [{ k: 'a' }, null]],
  ['list by keys without one', keyed({ k: text, v: integer }, 'k'), [{ v: 1 }, { k: 'a' }]],
  [
    'list by keys twice',
    keyed({ k: text, v: integer }, 'k'),
    [
      { k: 'a', v: 1 },
      { k: 'a', v: 2 },
    ],
  ],
  ['list by keys of a wrong date', keyed({ k: text, v: formatted('date') }, 'k'), [{ k: 'a', v: 'bad' }]],
  [
    'list by two keys',
    keyed({ k: text, l: integer }, 'k', 'l'),
    [
      { k: 'a', l: 1 },
      { k: 'a', l: 2 },
    ],
  ],
  ['list by an odd key', keyed({ 'a-b': text }, 'a-b'), [{ 'a-b': 'a' }]],
  ['list by an odd key, several', keyed({ 'a-b': text }, 'a-b'), [{ 'a-b': 'a' }, { 'a-b': 'b' }]],
  ['map', map(text), { a: 'b' }, { a: 'c' }],
  ['map with a null', map(text), { a: null }],
  ['map with a null that is new', map(nullable(text)), { a: 'b' }, { a: null }],
  ['map with a null list that is new', map(nullable(list(text))), { a: ['b'] }, { a: null }],
  ['map of invalid dates', map(formatted('date')), { a: 'bad' }],
  ['object', { type: 'object', properties: { a: text, b: integer } }, { a: 'b', b: 1 }, { b: 1, a: 'b' }],
  ['object with a null that is new', { type: 'object', properties: { a: nullable(text) } }, { a: 'b' }, { a: null }],
  ['object with an odd name', { type: 'object', properties: { 'a-b': text } }, { 'a-b': 'a' }, { 'a-b': 'b' }],
  ['object with an odder name', { type: 'object', properties: { a__b__c: text } }, { a__b__c: 'a' }, { a__b__c: 'b' }],
  ['object with a name as if escaped', { type: 'object', properties: { a__dot__c: text } }, { a__dot__c: 'a' }],
  [
    'object with unknown fields',
    { type: 'object', properties: { a: text }, 'x-kubernetes-preserve-unknown-fields': true },
    { a: 'b', c: [1, null] },
    { a: 'b', c: [1] },
  ],
];

const rule = { rule: 'self == oldSelf' };

function schemaOf(isStrict: boolean): StructuralSchema {
  const properties = cases.map(
    ([, schema], i) => [`p${i}`, { ...schema, 'x-kubernetes-validations': [rule] }] as const,
  );
  const spec: StructuralSchema = isStrict
    ? { type: 'object', properties: Object.fromEntries(properties) }
    : { 'x-kubernetes-preserve-unknown-fields': true };
  return { type: 'object', properties: { spec, isStrict: isStrict ? { type: 'boolean' } : {} } };
}

function definition(isStrict: boolean) {
  const openAPIV3Schema = schemaOf(isStrict);
  if (!isStrict) Object.assign(openAPIV3Schema, { 'x-kubernetes-preserve-unknown-fields': true, properties: {} });
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `samples.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'samples', kind: 'Sample' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

describeWithRealServer('`self == oldSelf` here and on a real API server', () => {
  const schema = compileSchema(schemaOf(true));
  let server: RealServer;

  beforeAll(async () => {
    server = await startRealServer();
    await server.send('POST', definitions, { body: definition(false) });
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
    for (const [i, [, , old]] of cases.entries()) {
      const { status, text } = await server.send('POST', path, { body: object(i, old) });
      if (status !== 201) throw new Error(text);
    }
    const { body: loose } = await server.send('GET', `${definitions}/samples.${group}`);
    const body = { ...definition(true), metadata: loose.metadata };
    const { status, text } = await server.send('PUT', `${definitions}/samples.${group}`, { body });
    if (status !== 200) throw new Error(text);
    const probe = { ...object(cases.length, undefined), isStrict: 'no' };
    await server.sendUntil((response) => response.status === 422, 'POST', `${path}?dryRun=All`, { body: probe });
  });

  afterAll(() => server?.stop());

  it.each(cases.map(([title, , old, next = old], i) => ({ title, i, old, next })))(
    'is the same for a $title',
    async ({ i, old, next }) => {
      const { body: current } = await server.send('GET', `${path}/c${i}`);
      const body = { ...object(i, next), metadata: current.metadata };
      const response = await server.send('PUT', `${path}/c${i}?dryRun=All`, { body });
      const theirs = response.status === 200 ? 'accepted' : (response.body.details?.causes ?? response.text);

      const [own, stored] = [next, old].map((value) => {
        const made = copyJson(object(i, value));
        schema.prune(made);
        schema.default(made);
        return made;
      });
      const errors = schema.validate(own, { old: stored });
      expect(errors.length === 0 ? 'accepted' : errors.map(statusCauseOf)).toEqual(theirs);
    },
  );
});

function object(i: number, value: unknown) {
  return { apiVersion: `${group}/v1`, kind: 'Sample', metadata: { name: `c${i}` }, spec: { [`p${i}`]: value } };
}
