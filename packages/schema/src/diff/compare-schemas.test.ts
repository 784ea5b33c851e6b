import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareSchemas } from './compare-schemas.ts';

const string: StructuralSchema = { type: 'string' };
const integer: StructuralSchema = { type: 'integer' };
const number: StructuralSchema = { type: 'number' };
const anyObject: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

function objectOf(properties: Record<string, StructuralSchema>, more: StructuralSchema = {}): StructuralSchema {
  return { type: 'object', properties, ...more };
}

function listOf(items: StructuralSchema, more: StructuralSchema = {}): StructuralSchema {
  return { type: 'array', items, ...more };
}

function listMapOf(...keys: string[]): StructuralSchema {
  const items = objectOf({ a: string, b: string }, { required: keys });
  return listOf(items, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
}

function ruled(schema: StructuralSchema, ...rules: string[]): StructuralSchema {
  return { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule })) };
}

/** The differences of two schemas for the field `x` of a whole object, `>` forward and `<` backward. */
function differences(first: StructuralSchema, second: StructuralSchema): string[] {
  return compareSchemas(objectOf({ x: first }), objectOf({ x: second })).map(
    ({ direction, path, effect, keyword }) => `${direction === 'forward' ? '>' : '<'} ${path} ${effect} ${keyword}`,
  );
}

type Case = readonly [title: string, first: StructuralSchema, second: StructuralSchema, expected: readonly string[]];

describe('compareSchemas', () => {
  it.each<Case>([
    ['no difference', objectOf({ a: listOf(string) }), objectOf({ a: listOf(string) }), []],
    ['documentation', { ...string, description: 'a', title: 'b', example: 'c' }, string, []],
    [
      'a renamed field',
      objectOf({ a: string }),
      objectOf({ b: string }),
      ['> x.a lost properties', '< x.b lost properties'],
    ],
    [
      'a lost object, without the fields below it',
      objectOf({ a: objectOf({ b: string }) }),
      objectOf({}),
      ['> x.a lost properties'],
    ],
    [
      'fields of lists and maps',
      listOf(objectOf({ a: { type: 'object', additionalProperties: objectOf({ b: string }) } })),
      listOf(objectOf({ a: { type: 'object', additionalProperties: objectOf({ c: string }) } })),
      ['> x[*].a.*.b lost properties', '< x[*].a.*.c lost properties'],
    ],
    [
      'a map that becomes fields',
      { type: 'object', additionalProperties: string },
      objectOf({ a: string }),
      ['> x.* lost additionalProperties'],
    ],
    ['preserved unknown fields', anyObject, objectOf({}), ['> x lost x-kubernetes-preserve-unknown-fields']],
    [
      'a specified field of an open object',
      anyObject,
      { ...anyObject, ...objectOf({ a: string }) },
      ['> x.a lost nullable', '> x.a lost type'],
    ],
    ['an object that becomes a string', objectOf({ a: string }), string, ['> x lost type', '< x invalid type']],
    ['another scalar type', string, integer, ['> x invalid type', '< x invalid type']],
    ['a wider number', integer, number, ['< x invalid type']],
    ['a wider type', string, { 'x-kubernetes-int-or-string': true }, ['< x invalid type']],
    [
      'a condition that many CRDs add to int-or-string',
      { 'x-kubernetes-int-or-string': true, anyOf: [integer, string] },
      { 'x-kubernetes-int-or-string': true },
      [],
    ],
    ['null of a field', { ...string, nullable: true }, string, ['> x lost nullable']],
    ['null in a list', listOf({ ...string, nullable: true }), listOf(string), ['> x[*] invalid nullable']],
    [
      'a required field',
      objectOf({ a: string }, { required: ['a'] }),
      objectOf({ a: string }),
      ['< x.a invalid required'],
    ],
    [
      'a required field with a default',
      objectOf({ a: { ...string, default: 'b' } }, { required: ['a'] }),
      objectOf({ a: string }),
      ['> x.a new-objects default', '< x.a defaulted default'],
    ],
    [
      'another default',
      { ...string, default: 'a' },
      { ...string, default: 'b' },
      ['> x new-objects default', '< x new-objects default'],
    ],
    [
      'a default of a required field',
      objectOf({ a: string }, { required: ['a'] }),
      objectOf({ a: { ...string, default: 'b' } }),
      ['< x.a new-objects default'],
    ],
    ['a smaller enum', { ...string, enum: ['a', 'b'] }, { ...string, enum: ['b'] }, ['> x invalid enum']],
    [
      'an enum whose values match a pattern',
      { ...string, enum: ['a', 'b'] },
      { ...string, pattern: '^[a-c]$' },
      ['< x invalid enum'],
    ],
    [
      'an enum with a value that does not',
      { ...string, enum: ['a', 'd'] },
      { ...string, pattern: '^[a-c]$' },
      ['> x undecided pattern', '< x invalid enum'],
    ],
    ['an enum of all values', { type: 'boolean', enum: [true, false] }, { type: 'boolean' }, []],
    [
      'a smaller length',
      { ...string, maxLength: 9 },
      { ...string, maxLength: 8, minLength: 1 },
      ['> x invalid maxLength', '> x invalid minLength'],
    ],
    [
      'a smaller range',
      { ...integer, minimum: 1 },
      { ...integer, minimum: 2, maximum: 5 },
      ['> x invalid maximum', '> x invalid minimum'],
    ],
    [
      'a range of integers without its bounds',
      { ...integer, maximum: 5, exclusiveMaximum: true },
      { ...integer, maximum: 4 },
      [],
    ],
    [
      'the range of int32',
      { ...integer, format: 'int32' },
      { ...integer, minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
      [],
    ],
    [
      'a bound that integers are compared with truncated',
      { ...number, maximum: -2.5 },
      { ...number, maximum: -2, exclusiveMaximum: true },
      ['> x invalid maximum', '< x invalid maximum'],
    ],
    ['a coarser multiple', { ...integer, multipleOf: 3 }, { ...integer, multipleOf: 6 }, ['> x invalid multipleOf']],
    ['fewer items and properties', listOf(string), listOf(string, { maxItems: 3 }), ['> x invalid maxItems']],
    [
      'another pattern',
      { ...string, pattern: 'a' },
      { ...string, pattern: 'b' },
      ['> x undecided pattern', '< x undecided pattern'],
    ],
    ['a format', { ...string, format: 'date-time' }, string, ['> x undecided format', '< x undecided format']],
    [
      'a condition',
      objectOf({ a: string, b: string }),
      objectOf({ a: string, b: string }, { oneOf: [{ required: ['a'] }] }),
      ['> x undecided oneOf'],
    ],
    ['a rule', ruled(integer, 'self > 1'), integer, ['< x undecided x-kubernetes-validations']],
    ['an immutable field', integer, ruled(integer, 'self == oldSelf'), ['> x undecided x-kubernetes-validations']],
    [
      'the same rule on another type',
      objectOf({ r: ruled(objectOf({ a: integer }), 'self.a / 2 > 1') }),
      objectOf({ r: ruled(objectOf({ a: number }), 'self.a / 2 > 1') }),
      ['> x.r undecided x-kubernetes-validations', '< x.r undecided x-kubernetes-validations', '< x.r.a invalid type'],
    ],
    [
      'a list that becomes a set',
      listOf(string),
      listOf(string, { 'x-kubernetes-list-type': 'set' }),
      ['> x invalid x-kubernetes-list-type', '> x merged x-kubernetes-list-type', '< x merged x-kubernetes-list-type'],
    ],
    [
      'more keys of a list',
      listMapOf('a'),
      listMapOf('a', 'b'),
      [
        '> x merged x-kubernetes-list-type',
        '> x[*].b invalid required',
        '< x invalid x-kubernetes-list-type',
        '< x merged x-kubernetes-list-type',
      ],
    ],
    [
      'an atomic object',
      objectOf({ a: string }),
      objectOf({ a: string }, { 'x-kubernetes-map-type': 'atomic' }),
      ['> x merged x-kubernetes-map-type', '< x merged x-kubernetes-map-type'],
    ],
    [
      'an embedded resource',
      anyObject,
      { ...anyObject, 'x-kubernetes-embedded-resource': true },
      ['> x invalid x-kubernetes-embedded-resource'],
    ],
    [
      'a keyword of the future',
      string,
      { ...string, 'x-kubernetes-new': 1 } as StructuralSchema,
      ['> x undecided x-kubernetes-new'],
    ],
    [
      'names of the prototype of objects',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{"type":"string"}}}'),
      objectOf({ a: string }),
      ['> x.__proto__ lost properties', '> x.constructor lost properties', '< x.a lost properties'],
    ],
  ])('compares %s', (_title, first, second, expected) => {
    expect(differences(first, second)).toEqual(expected);
  });

  it('compares the metadata of whole objects, which is never pruned', () => {
    const named = objectOf({ metadata: objectOf({ name: { ...string, maxLength: 8 } }) });
    expect(compareSchemas(named, objectOf({}))).toMatchObject([
      { direction: 'backward', path: 'metadata.name', effect: 'invalid', keyword: 'maxLength', to: 8 },
    ]);
    expect(
      compareSchemas(objectOf({ kind: string, apiVersion: string, metadata: { type: 'object' } }), objectOf({})),
    ).toEqual([]);
  });

  it('returns the values of the keyword and the places in both schemas', () => {
    const first = objectOf({ a: { type: 'object', additionalProperties: listOf({ ...integer, maximum: 9 }) } });
    const second = objectOf({ a: { type: 'object', additionalProperties: listOf({ ...integer, maximum: 5 }) } });
    const place = '.properties[a].additionalProperties.items';
    expect(compareSchemas(first, second)).toEqual([
      {
        direction: 'forward',
        path: 'a.*[*]',
        effect: 'invalid',
        keyword: 'maximum',
        from: 9,
        to: 5,
        fromPlace: place,
        toPlace: place,
      },
    ]);
  });

  it('rejects schemas that nest too deeply', () => {
    let deep: StructuralSchema = string;
    for (let i = 0; i < 2000; i++) deep = listOf(deep);
    for (const schema of [objectOf({ x: deep }), ruled(objectOf({ x: deep }), 'self.x.size() > 0')]) {
      expect(() => compareSchemas(schema, schema)).toThrow('nests deeper than 1000 levels');
    }
    expect(() => compareSchemas(objectOf({ x: deep }), objectOf({ x: string }))).toThrow(
      'nests deeper than 1000 levels',
    );
  });
});
