import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import type { StructuralSchema } from '../structural-schema.ts';
import { compileSchema } from './compiled-schema.ts';

const text: StructuralSchema = { type: 'string' };
const inSpec = (properties: { [name: string]: StructuralSchema }): StructuralSchema => ({
  type: 'object',
  properties: { spec: { type: 'object', properties } },
});

function errorsOf(schema: StructuralSchema, value: unknown, old?: unknown): string[] {
  return compileSchema(schema).validate(value, { old }).map(fieldErrorText);
}

describe('defaulting', () => {
  const schema = compileSchema(
    inSpec({
      size: { type: 'integer', default: 3 },
      nullable: { type: 'string', nullable: true, default: 'x' },
      gone: text,
      parent: { type: 'object', properties: { a: { type: 'string', default: 'a' } } },
      made: { type: 'object', default: {}, properties: { a: { type: 'string', default: 'a' } } },
      list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string', default: 'a' } } } },
      map: {
        type: 'object',
        additionalProperties: { type: 'object', properties: { a: { type: 'integer', default: 1 } } },
      },
    }),
  );

  it('sets missing and null values, but creates no parents', () => {
    const value = { spec: { size: null, nullable: null, gone: null, list: [{}, { a: 'b' }], map: { x: {} } } };
    schema.default(value);
    expect(value).toEqual({
      spec: { size: 3, nullable: null, made: { a: 'a' }, list: [{ a: 'a' }, { a: 'b' }], map: { x: { a: 1 } } },
    });
  });

  it('copies a default for every object', () => {
    const [one, two] = [{ spec: {} as { made?: { a: string } } }, { spec: {} as { made?: { a: string } } }];
    schema.default(one);
    schema.default(two);
    if (one.spec.made !== undefined) one.spec.made.a = 'changed';
    expect(two.spec.made).toEqual({ a: 'a' });
  });
});

describe('pruning', () => {
  it('removes unspecified fields and returns their paths', () => {
    const schema = compileSchema(
      inSpec({
        known: { type: 'object', properties: { a: text } },
        list: { type: 'array', items: { type: 'object', properties: { a: text } } },
        free: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: { shut: { type: 'object' } },
        },
      }),
    );
    const value = {
      apiVersion: 'v1',
      kind: 'A',
      metadata: { anything: 1 },
      spec: { known: { a: 'x', b: 1 }, list: [{ c: 1 }], free: { d: { e: 1 }, shut: { f: 1 } } },
      status: {},
    };
    expect(schema.prune(value)).toEqual(['spec.free.shut.f', 'spec.known.b', 'spec.list[0].c', 'status']);
    expect(value).toEqual({
      apiVersion: 'v1',
      kind: 'A',
      metadata: { anything: 1 },
      spec: { known: { a: 'x' }, list: [{}], free: { d: { e: 1 }, shut: {} } },
    });
  });
});

describe('validation', () => {
  it('returns the messages of the API server', () => {
    const schema = inSpec({
      size: { type: 'integer', maximum: 50 },
      name: { type: 'string', pattern: '^a$', minLength: 2 },
      day: { type: 'string', format: 'date' },
      port: { 'x-kubernetes-int-or-string': true },
      any: {
        type: 'object',
        anyOf: [{ required: ['a', 'b'] }, { required: ['c'] }],
        properties: { a: text, b: text, c: text },
      },
    });
    const value = { spec: { size: 60, name: 'b', day: '2026-02-30', port: true, any: { a: 'x' } } };
    expect(errorsOf(schema, value)).toEqual([
      'spec.size: Invalid value: 60: spec.size in body should be less than or equal to 50',
      'spec.name: Invalid value: "b": spec.name in body should be at least 2 chars long',
      'spec.day: Invalid value: "2026-02-30": spec.day in body must be of type date: "2026-02-30"',
      'spec.port: Invalid value: "boolean": spec.port in body must be of type integer,string: "boolean"',
      '<nil>: Invalid value: "": "spec.any" must validate at least one schema (anyOf)',
      'spec.any.b: Required value',
    ]);
  });

  it('ignores errors of unchanged values on update, comparing list items by their keys', () => {
    const item: StructuralSchema = {
      type: 'object',
      properties: { name: text, size: { type: 'integer', maximum: 5 } },
    };
    const map: StructuralSchema = {
      type: 'array',
      items: item,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    };
    const schema = inSpec({ map, atomic: { type: 'array', items: item }, other: text });
    const big = { name: 'a', size: 9 };
    const old = { spec: { map: [big, { name: 'b' }], atomic: [big] } };
    expect(errorsOf(schema, { spec: { map: [{ name: 'c' }, big], atomic: [big] } }, old)).toEqual([]);
    expect(errorsOf(schema, { spec: { map: [{ name: 'a', size: 8 }], atomic: [big, big] } }, old)).toEqual([
      'spec.map[0].size: Invalid value: 8: spec.map[0].size in body should be less than or equal to 5',
      'spec.atomic[0].size: Invalid value: 9: spec.atomic[0].size in body should be less than or equal to 5',
      'spec.atomic[1].size: Invalid value: 9: spec.atomic[1].size in body should be less than or equal to 5',
    ]);
  });

  it('runs rules only if the value satisfies the schema', () => {
    const schema: StructuralSchema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { min: { type: 'integer' }, max: { type: 'integer' }, mode: { type: 'string', enum: ['a'] } },
          'x-kubernetes-validations': [
            { rule: 'self.min <= self.max', message: 'min must not exceed max', fieldPath: '.min' },
            { rule: 'self.max >= oldSelf.max', messageExpression: "'must not shrink below ' + string(oldSelf.max)" },
          ],
        },
      },
    };
    expect(errorsOf(schema, { spec: { min: 2, max: 1 } })).toEqual([
      'spec.min: Invalid value: min must not exceed max',
    ]);
    expect(errorsOf(schema, { spec: { min: 0, max: 1 } }, { spec: { min: 0, max: 2 } })).toEqual([
      'spec: Invalid value: must not shrink below 2',
    ]);
    expect(errorsOf(schema, { spec: { min: 2, max: 1, mode: 'b' } })).toEqual([
      'spec.mode: Unsupported value: "b": supported values: "a"',
      '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ]);
  });

  it('reports violated rules that are ignored because the value is unchanged', () => {
    const schema = compileSchema(
      inSpec({ even: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self % 2 == 0' }] } }),
    );
    const warnings: string[] = [];
    const value = { spec: { even: 3 } };
    expect(schema.validate(value, { old: value, onWarning: (message) => warnings.push(message) })).toEqual([]);
    expect(warnings).toEqual(['spec.even: Invalid value: 3: failed rule: self % 2 == 0']);
  });

  it('checks only the status against the schema on a write of the status', () => {
    const schema = compileSchema({
      type: 'object',
      properties: {
        spec: { type: 'object', properties: { size: { type: 'integer' } } },
        status: { type: 'object', properties: { ready: { type: 'integer' } } },
      },
    });
    const value = { spec: { size: 'x' }, status: { ready: 'y' } };
    expect(schema.validate(value, { old: { spec: { size: 'x' } }, isStatus: true }).map(fieldErrorText)).toEqual([
      'status.ready: Invalid value: "string": ready in body must be of type integer: "string"',
    ]);
  });

  it('starts with the errors that were found before, and counts them', () => {
    const schema = compileSchema({ type: 'object', 'x-kubernetes-validations': [{ rule: 'false' }] });
    const found = [{ type: 'Required', field: 'metadata.name', detail: '' }] as const;
    expect(schema.validate({}, { found }).map(({ field }) => field)).toEqual(['metadata.name', '<nil>']);
  });
});

describe('hostile input', () => {
  const nested = (depth: number): object => {
    let value = {};
    for (let i = 0; i < depth; i++) value = { a: value };
    return value;
  };

  it('distinguishes own keys from inherited ones', () => {
    const schema = compileSchema(
      JSON.parse(
        '{"type":"object","properties":{"__proto__":{"type":"object","properties":{"d":{"type":"integer","default":1}},"required":["y"]}}}',
      ),
    );
    const value = JSON.parse('{"__proto__":{"x":1},"constructor":1,"toString":2}');
    expect(schema.prune(value)).toEqual(['__proto__.x', 'constructor', 'toString']);
    schema.default(value);
    expect(JSON.stringify(value)).toBe('{"__proto__":{"d":1}}');
    expect(schema.validate(value).map(fieldErrorText)).toEqual(['__proto__.y: Required value']);
    expect(({} as { d?: number }).d).toBeUndefined();
    expect(errorsOf({ type: 'object', required: ['toString'], properties: {} }, {})).toEqual([
      'toString: Required value',
    ]);
  });

  it('rejects nesting that a recursive schema would follow without end', () => {
    const recursive: StructuralSchema = { type: 'object', properties: {} };
    recursive.properties = { a: recursive, d: { type: 'integer', default: 1 } };
    const schema = compileSchema(recursive);
    expect(schema.validate(nested(900))).toEqual([]);
    for (const run of [schema.prune, schema.default, schema.validate]) {
      expect(() => run.call(schema, nested(100_000))).toThrow('nests deeper than 1000 levels');
    }
  });

  it('does not walk through values without a schema, however deep they are', () => {
    const schema = compileSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true });
    const value = nested(100_000);
    expect(schema.prune(value)).toEqual([]);
    schema.default(value);
    expect(schema.validate(value, { old: nested(100_000) })).toEqual([]);
  });

  it('handles more errors than a call can have arguments', () => {
    const schema = compileSchema({
      type: 'object',
      properties: { list: { type: 'array', items: { type: 'integer' } } },
    });
    expect(schema.validate({ list: new Array(200_000).fill('x') })).toHaveLength(200_001 - 1);
  });

  it('runs patterns in linear time', () => {
    const schema = compileSchema(inSpec({ name: { type: 'string', pattern: '^(a+)+$' } }));
    expect(schema.validate({ spec: { name: `${'a'.repeat(50_000)}b` } })).toHaveLength(1);
  });
});
