import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { bomb, bounded, nested } from '../custom-resource/hostile.fixture.ts';
import { checkCustomResourceDefinition } from './check-crd.ts';
import { field, metadata, root, spec, specOf, version } from './corpus/corpus-entry.fixture.ts';

/** The errors of a definition, found within limits of time and memory. */
const errorsOf = (crd: unknown) => bounded(() => checkCustomResourceDefinition(crd).errors.map(fieldErrorText));
const tooDeep = expect.stringContaining('must not nest deeper than 500 levels');
const tooLarge = expect.stringContaining('must not be larger than 3145728 bytes');
const text = { type: 'string' };

describe('a hostile definition', () => {
  it.each([
    ['in the definition', '{"__proto__":{"polluted":1},"spec":{"__proto__":{"polluted":1}}}'],
    [
      'in its metadata',
      '{"metadata":{"__proto__":{"polluted":1},"labels":{"__proto__":"x"},"annotations":{"__proto__":"x"}}}',
    ],
    ['in its names', '{"spec":{"names":{"__proto__":{"plural":"x"},"constructor":{"prototype":{"polluted":1}}}}}'],
  ])('with __proto__ %s does not change prototypes', (_, json) => {
    expect(errorsOf(JSON.parse(json))).not.toEqual([]);
  });

  it('with properties called __proto__ and constructor is handled like any other', () => {
    const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
    const properties = `{${names.map((name) => `"${name}":{"type":"object","default":{"polluted":1},"properties":{"polluted":{"type":"integer"}}}`).join(',')}}`;
    const schema = JSON.parse(`{"type":"object","properties":${properties},"required":["__proto__"]}`);
    const { crd, errors } = bounded(() => checkCustomResourceDefinition(specOf(schema)));
    expect(errors).toEqual([]);
    const kept = crd.spec?.versions?.[0]?.schema?.openAPIV3Schema?.properties?.['spec']?.properties ?? {};
    expect(Object.keys(kept)).toEqual(names);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  it.each([
    ['in properties', (inner: unknown) => ({ type: 'object', properties: { a: inner } })],
    ['in items', (inner: unknown) => ({ type: 'array', items: inner })],
    ['in additionalProperties', (inner: unknown) => ({ type: 'object', additionalProperties: inner })],
    ['in allOf', (inner: unknown) => ({ allOf: [inner] })],
    ['in not', (inner: unknown) => ({ not: inner })],
    ['in definitions', (inner: unknown) => ({ definitions: { a: inner } })],
    ['in a dependency', (inner: unknown) => ({ dependencies: { a: inner } })],
    ['in a default', (inner: unknown) => ({ a: inner })],
  ])('of 10,000 levels %s is rejected', (where, wrap) => {
    const value = nested(10_000, wrap, text);
    const schema =
      where === 'in a default'
        ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, default: value }
        : value;
    expect(errorsOf(field(schema))).toEqual([tooDeep]);
  });

  it('of 10,000 levels outside of schemas is rejected', () => {
    expect(errorsOf(nested(10_000, (inner) => ({ spec: inner })))).not.toEqual([]);
    expect(errorsOf(nested(10_000, (inner) => [inner]))).not.toEqual([]);
  });

  it('that contains itself is rejected', () => {
    const schema: { type: string; properties: { [name: string]: unknown } } = { type: 'object', properties: {} };
    schema.properties['a'] = schema;
    expect(errorsOf(specOf(schema))).toEqual([tooDeep]);
    const wide: unknown[] = [];
    wide.push(wide, wide);
    expect(errorsOf(field({ type: 'string', default: wide }))).toEqual([
      expect.stringMatching(/must not nest|must not be larger/),
    ]);
  });

  const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));
  const map = <T>(count: number, value: (i: number) => T) =>
    Object.fromEntries(many(count, (i) => [`k${i}`, value(i)]));
  const long = { type: 'string', description: 'x'.repeat(250) };
  it.each([
    ['one string', () => field({ type: 'string', description: 'x'.repeat(50_000_000) })],
    ['one name', () => field({ type: 'object', properties: { ['x'.repeat(50_000_000)]: text } })],
    ['properties', () => specOf({ type: 'object', properties: map(200_000, () => long) })],
    ['values of an enum', () => field({ type: 'string', enum: many(3_000_000, String) })],
    ['versions', () => spec({ versions: many(500_000, (i) => ({ name: `v${i}` })) })],
    ['labels', () => metadata({ labels: map(200_000, () => long.description) })],
    ['unknown fields', () => ({ ...spec({}), ...map(500_000, (i) => i) })],
  ])('of 50 MB of %s is rejected', (_, make) => {
    const crd = make();
    expect(errorsOf(crd)).toEqual([tooLarge]);
  });

  it.each([
    ['properties', (inner: unknown) => ({ type: 'object', properties: { a: inner, b: inner, c: inner } })],
    ['conditions', (inner: unknown) => ({ allOf: [inner, inner, inner] })],
    ['values', (inner: unknown) => [inner, inner, inner]],
  ])('that grows by aliases of %s is rejected', (where, wrap) => {
    const value = bomb(60, wrap);
    expect(errorsOf(field(where === 'values' ? { type: 'array', items: text, default: value } : value))).toEqual([
      tooLarge,
    ]);
  });

  it.each([
    [
      'reviews',
      () =>
        spec({
          conversion: {
            strategy: 'Webhook',
            webhook: { clientConfig: { url: 'https://a' }, conversionReviewVersions: many(300_000, (i) => `v${i}`) },
          },
        }),
    ],
    ['versions', () => spec({ versions: many(40_000, (i) => ({ name: `v${i}`, storage: true })) })],
    [
      'keys',
      () =>
        field({
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': many(200_000, (i) => `k${i}`),
          items: { type: 'object', required: many(100_000, (i) => `k${i}`) },
        }),
    ],
    [
      'rules with a fieldPath',
      () =>
        specOf({
          type: 'object',
          properties: map(10_000, () => text),
          'x-kubernetes-validations': many(10_000, (i) => ({ rule: 'true', fieldPath: `.k${i}` })),
        }),
    ],
    [
      'rules that do not compile',
      () => field({ ...text, 'x-kubernetes-validations': many(20_000, () => ({ rule: 'a.b.c(d)' })) }),
    ],
    [
      'defaults',
      () =>
        specOf({
          type: 'object',
          properties: map(20_000, (i) => ({
            type: 'object',
            default: { a: i },
            properties: { a: { type: 'string' } },
          })),
        }),
    ],
    ['columns', () => version({ additionalPrinterColumns: many(30_000, () => ({ name: 'a' })) })],
    [
      'selectable fields',
      () => root({ type: 'object' }, { selectableFields: many(40_000, (i) => ({ jsonPath: `.a${i}` })) }),
    ],
    [
      'errors below a long name',
      () =>
        specOf({
          type: 'object',
          properties: { ['x'.repeat(1_000_000)]: { type: 'object', properties: map(50_000, () => ({})) } },
        }),
    ],
    [
      'values of the wrong type below a long name',
      () =>
        specOf({
          type: 'object',
          properties: { ['x'.repeat(1_000_000)]: { type: 'object', properties: map(50_000, () => 1) } },
        }),
    ],
    [
      'unknown fields below a long name',
      () =>
        specOf({ type: 'text', properties: { ['x'.repeat(1_000_000)]: { type: 'object', ...map(50_000, () => 1) } } }),
    ],
  ])('of 3 MB of %s is checked in time', (_, make) => {
    errorsOf(make());
  });

  it.each([
    ['repeats repetitions', '((a{1,100}){1,100}){1,100}'],
    ['repeats too often', 'a{100000}'],
    ['nests', `${'('.repeat(100_000)}${')'.repeat(100_000)}`],
    ['is long', `${'[a-z'.repeat(500_000)}`],
  ])('whose pattern %s is rejected', (_, pattern) => {
    expect(errorsOf(field({ type: 'string', pattern }))).toEqual([
      expect.stringContaining('must be a valid regular expression'),
    ]);
  });

  it('whose pattern needs exponential time in other engines is matched in time', () => {
    const schema = { type: 'string', pattern: '^(a+)+$', default: `${'a'.repeat(100_000)}!` };
    expect(errorsOf(field(schema))).toHaveLength(1);
  });

  it.each([
    ['loops in loops', 'self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d != 1))))'],
    ['lists that double', `${'[self, '.repeat(30)}[]${']'.repeat(30)}.size() == 0`],
    ['comparisons of all with all', 'self.map(a, self).map(b, self.map(c, b)).size() == 0'],
  ])('whose rule would never end for a default is rejected: %s', (_, rule) => {
    const list = { type: 'array', maxItems: 10, items: { type: 'integer' }, default: many(100_000, (i) => i) };
    const ruled = { ...list, maxItems: 1_000_000, 'x-kubernetes-validations': [{ rule }] };
    expect(errorsOf(field(ruled))).not.toEqual([]);
  });

  it.each([
    ['is deep', `${'('.repeat(50_000)}true${')'.repeat(50_000)}`],
    ['is long', `true${' && true'.repeat(20_000)}`],
    ['has many variables', `${'[1].all(a, '.repeat(2000)}true${')'.repeat(2000)}`],
  ])('whose rule %s is rejected', (_, rule) => {
    expect(errorsOf(field({ ...text, 'x-kubernetes-validations': [{ rule }] }))).not.toEqual([]);
  });
});
