import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { LimitError } from '../nesting.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { compileSchema } from './compiled-schema.ts';
import { bounded, nested } from './hostile.fixture.ts';

const object = (properties: { [name: string]: StructuralSchema }): StructuralSchema => ({ type: 'object', properties });
const text: StructuralSchema = { type: 'string' };
const many = <T>(count: number, item: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => item(i));

/** The errors of an object that a server receives, found within limits of time and memory. */
function errorsOf(schema: StructuralSchema, value: unknown, old?: unknown): string[] {
  const compiled = compileSchema(schema);
  return bounded(() => {
    try {
      compiled.prune(value);
      compiled.default(value);
      return compiled.validate(value, old === undefined ? {} : { old }).map(fieldErrorText);
    } catch (error) {
      if (error instanceof LimitError) return [error.message];
      throw error;
    }
  });
}

describe('property names with a meaning in JavaScript', () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];
  const fieldNames = new Map([['__proto__', '__underscores__proto__underscores__']]);
  /** An object literal would set the prototype. */
  const keyed = <T>(value: (name: string) => T): { [name: string]: T } =>
    JSON.parse(`{${names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(value(name))}`).join(',')}}`);

  it('are ordinary in defaults', () => {
    const compiled = compileSchema(object(keyed((name) => ({ type: 'string', default: name }))));
    const value = {};
    bounded(() => compiled.default(value));
    expect(Object.entries(value)).toEqual(names.map((name) => [name, name]));
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('are ordinary in pruning, known or unknown', () => {
    const known = keyed((name) => name);
    expect(compileSchema(object(keyed(() => text))).prune(known)).toEqual([]);
    expect(Object.keys(known)).toEqual(names);
    const unknown = keyed(() => ({ polluted: 1 }));
    expect(bounded(() => compileSchema(object({ spec: text })).prune(unknown))).toEqual(names.toSorted());
    expect(Object.keys(unknown)).toEqual([]);
  });

  it('are ordinary when nulls are removed', () => {
    const value = keyed(() => null);
    compileSchema(object(keyed(() => text))).default(value);
    expect(Object.keys(value)).toEqual([]);
  });

  it('are checked, and count as present only if they are own properties', () => {
    const schema: StructuralSchema = { ...object(keyed(() => text)), required: names };
    expect(
      errorsOf(
        schema,
        keyed(() => 'x'),
      ),
    ).toEqual([]);
    expect(errorsOf(schema, {})).toEqual(names.map((name) => `${name}: Required value`));
    expect(
      errorsOf(
        schema,
        keyed(() => 5),
      ),
    ).toHaveLength(names.length);
  });

  it('are ordinary keys of maps, and of items', () => {
    const map: StructuralSchema = { type: 'object', additionalProperties: { type: 'integer' } };
    expect(errorsOf(object({ a: map }), { a: keyed(() => 1) })).toEqual([]);
    expect(errorsOf(object({ a: map }), { a: keyed(() => 'x') })).toHaveLength(names.length);
    const list: StructuralSchema = {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': names,
      items: object(keyed(() => text)),
    };
    expect(errorsOf(object({ l: list }), { l: [keyed(() => 'a'), keyed(() => 'b')] })).toEqual([]);
    expect(errorsOf(object({ l: list }), { l: [keyed(() => 'a'), keyed(() => 'a')] })).toEqual([
      expect.stringContaining('l[1]: Duplicate value'),
    ]);
  });

  it('are fields and keys in rules', () => {
    const rule = names.map((name) => `self.a.${fieldNames.get(name) ?? name} == '${name}'`).join(' && ');
    const keys = names.map((name) => `self.m['${name}'] == 1`).join(' && ');
    const schema: StructuralSchema = {
      ...object({ a: object(keyed(() => text)), m: { type: 'object', additionalProperties: { type: 'integer' } } }),
      'x-kubernetes-validations': [{ rule }, { rule: keys }, { rule: `self.m.size() == ${names.length}` }],
    };
    expect(errorsOf(schema, { a: keyed((name) => name), m: keyed(() => 1) })).toEqual([]);
    expect(errorsOf(schema, { a: keyed(() => 'x'), m: {} })).toHaveLength(3);
    expect(
      errorsOf(
        { ...object({ a: object({}) }), 'x-kubernetes-validations': [{ rule: 'has(self.a.constructor)' }] },
        { a: {} },
      ),
    ).toEqual([expect.stringContaining("undefined field 'constructor'")]);
  });
});

describe('a hostile object', () => {
  const deep: StructuralSchema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  it('of 10,000 levels is accepted if unknown fields are preserved, and can be compared with itself', () => {
    const value = () => nested(10_000, (inner) => ({ a: [inner] }));
    expect(errorsOf(deep, value(), value())).toEqual([]);
  });

  it('of 10,000 levels is pruned if nothing is specified', () => {
    expect(
      errorsOf(
        object({ a: object({}) }),
        nested(10_000, (inner) => ({ a: inner })),
      ),
    ).toEqual([]);
  });

  it('of 10,000 levels is rejected if a schema describes all of it', () => {
    const schema = object({});
    schema.properties = { a: schema };
    expect(
      errorsOf(
        schema,
        nested(10_000, (inner) => ({ a: inner })),
      ),
    ).toEqual(['the object nests deeper than 1000 levels']);
    const list: StructuralSchema = { type: 'array' };
    list.items = list;
    expect(errorsOf(object({ l: list }), { l: nested(10_000, (inner) => [inner], []) })).toEqual([
      'the object nests deeper than 1000 levels',
    ]);
  });

  const mapList: StructuralSchema = {
    type: 'array',
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
    items: { ...object({ k: { type: 'integer' }, v: { type: 'string', maxLength: 3 } }), required: ['k'] },
  };
  it.each<[string, StructuralSchema, () => unknown, (() => unknown)?]>([
    ['one string with a pattern', { ...text, pattern: '^(a|b)+$' }, () => 'ab'.repeat(25_000_000)],
    [
      'texts',
      { type: 'array', items: { ...text, pattern: '^(a+)+$' } },
      () => many(100_000, () => `${'a'.repeat(40)}!`),
    ],
    [
      'equal items of a set',
      { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
      () => many(800_000, (i) => String(i % 9)),
    ],
    [
      'items of a set',
      { type: 'array', items: { type: 'integer' }, 'x-kubernetes-list-type': 'set' },
      () => many(400_000, (i) => -i),
    ],
    ['items with keys', mapList, () => many(200_000, (k) => ({ k, v: 'much too long' }))],
    [
      'items with keys, and as many old ones',
      mapList,
      () => many(100_000, (k) => ({ k, v: 'much too long' })),
      () => many(100_000, (k) => ({ k: 99_999 - k, v: 'other, but too long' })),
    ],
    ['unknown keys', object({}), () => Object.fromEntries(many(300_000, (i) => [`k${i}`, i]))],
    [
      'unknown keys below a long name',
      { type: 'object', additionalProperties: object({}) },
      () => ({ ['x'.repeat(1_000_000)]: Object.fromEntries(many(50_000, (i) => [`k${i}`, 1])) }),
    ],
    [
      'wrong values below a long name',
      { type: 'object', additionalProperties: { type: 'array', items: text } },
      () => ({ ['x'.repeat(1_000_000)]: many(50_000, (i) => i) }),
    ],
  ])('of 3 to 50 MB of %s ends in time', (_, schema, make, makeOld) => {
    const value = { a: make() };
    const old = makeOld === undefined ? undefined : { a: makeOld() };
    errorsOf(object({ a: schema }), value, old);
  });

  it('with no value of a long enum is rejected', () => {
    const schema: StructuralSchema = { type: 'array', items: { enum: many(200_000, (i) => i) } };
    expect(errorsOf(object({ a: schema }), { a: many(200_000, (i) => -1 - i) }).at(-1)).toBe(
      '<nil>: Forbidden: validation and defaults of the object need too much work',
    );
  });

  it('with only values of long enums is accepted', () => {
    const schema: StructuralSchema = { type: 'array', items: { enum: many(200_000, (i) => i) } };
    expect(errorsOf(object({ a: schema }), { a: many(200_000, (i) => i) })).toEqual([]);
  });

  it('that many conditions check is rejected', () => {
    const schema: StructuralSchema = {
      type: 'array',
      items: { ...text, anyOf: many(50_000, (i) => ({ minLength: i + 5 })) },
    };
    expect(errorsOf(object({ a: schema }), { a: many(100_000, () => 'x') }).at(-1)).toBe(
      '<nil>: Forbidden: validation and defaults of the object need too much work',
    );
  });

  it('that a large pattern checks is rejected', () => {
    const schema: StructuralSchema = { ...text, pattern: `^(${'a?'.repeat(900)}b|c)*$`.replaceAll('a?', '(a|x)?') };
    expect(errorsOf(object({ a: schema }), { a: 'a'.repeat(3_000_000) }).at(-1)).toBe(
      '<nil>: Forbidden: validation and defaults of the object need too much work',
    );
  });

  it('that defaults would make too large is rejected', () => {
    const properties = Object.fromEntries(many(10_000, (i) => [`k${i}`, { type: 'string', default: 'x'.repeat(50) }]));
    const schema = object({ a: { type: 'array', items: object(properties) } });
    expect(errorsOf(schema, { a: many(100_000, () => ({})) })).toEqual([
      'validation and defaults of the object need too much work',
    ]);
  });

  it.each([
    ['loops in loops', 'self.a.all(x, self.a.all(y, self.a.all(z, x + y + z >= 0)))'],
    ['strings that double', "self.a.map(x, self.a.map(y, string(y)).join()).join() == ''"],
    ['patterns', "self.a.all(x, self.s.matches('^(a+)+$'))"],
  ])('for which a rule would never end is rejected: %s', (_, rule) => {
    const schema: StructuralSchema = {
      ...object({ a: { type: 'array', items: { type: 'integer' } }, s: text }),
      'x-kubernetes-validations': [{ rule }],
    };
    const errors = errorsOf(schema, { a: many(100_000, (i) => i), s: 'a'.repeat(1_000_000) });
    expect(errors).toEqual([expect.stringMatching(/budget|cost/)]);
  });
});
