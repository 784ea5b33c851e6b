import type { CustomResourceDefinition } from '@evenkeel/kinds';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { compareDefinitions, type DefinitionCheck, definitionChecks } from './compare-definitions.ts';

interface Version {
  readonly name?: string;
  readonly served?: boolean;
  readonly schema: StructuralSchema;
}

function definition(
  versions: readonly Version[],
  spec: object = {},
  storedVersions = ['v1'],
): CustomResourceDefinition {
  return {
    metadata: { name: 'shops.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Shop', plural: 'shops' },
      versions: versions.map(({ name = 'v1', served = true, schema }, at) => ({
        name,
        served,
        storage: at === 0,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: schema } } },
      })),
      ...spec,
    },
    status: { storedVersions },
  } as unknown as CustomResourceDefinition;
}

const field = (schema: StructuralSchema): StructuralSchema => ({ type: 'object', properties: { x: schema } });

/** The changes of the field `spec.x`, as `check path: message`. */
function changes(before: StructuralSchema, after: StructuralSchema): string[] {
  return compareDefinitions(definition([{ schema: field(before) }]), definition([{ schema: field(after) }])).map(
    ({ check, path, message }) => `${check} ${path}: ${message}`,
  );
}

const string: StructuralSchema = { type: 'string' };
const integer: StructuralSchema = { type: 'integer' };
const object = (properties: Record<string, StructuralSchema>, more: StructuralSchema = {}): StructuralSchema => ({
  type: 'object',
  properties,
  ...more,
});

/** For each check that compares keywords: two changes that it reports, and one that it allows. */
const cases: Partial<Record<DefinitionCheck, readonly [StructuralSchema, StructuralSchema, string | undefined][]>> = {
  existingFieldRemoval: [
    [object({ a: string, b: string }), object({ a: string }), 'spec.x.b: is removed'],
    [object({ a: object({ b: string }) }), object({}), 'spec.x.a: is removed'],
    [{ type: 'array', items: object({ a: string }) }, { type: 'array', items: object({}) }, 'spec.x[*].a: is removed'],
    [{ type: 'object', additionalProperties: string }, { type: 'object' }, 'spec.x.*: is removed'],
    [object({ a: string }), object({ a: string, b: string }), undefined],
  ],
  type: [
    [string, integer, 'spec.x: changes from "string" to "integer"'],
    [integer, { type: 'number' }, 'spec.x: changes from "integer" to "number"'],
    [string, { type: 'string', description: 'A name.' }, undefined],
  ],
  required: [
    [object({ a: string }), object({ a: string }, { required: ['a'] }), 'spec.x.a: becomes required'],
    [object({}), object({ a: string }, { required: ['a'] }), 'spec.x.a: becomes required'],
    [object({}), object({ n: object({ a: string }, { required: ['a'] }) }), undefined],
    [object({ a: string }, { required: ['a'] }), object({ a: string }), undefined],
  ],
  default: [
    [string, { ...string, default: 'a' }, 'spec.x: changes from nothing to "a"'],
    [{ ...string, default: 'a' }, string, 'spec.x: changes from "a" to nothing'],
    [{ ...string, default: 'a' }, { ...string, default: 'b' }, 'spec.x: changes from "a" to "b"'],
    [{ ...string, default: 'a' }, { ...string, default: 'a' }, undefined],
  ],
  enum: [
    [string, { ...string, enum: ['a'] }, 'spec.x: allows only ["a"] now'],
    [{ ...string, enum: ['a', 'b'] }, { ...string, enum: ['b', 'c'] }, 'spec.x: no longer allows "a"'],
    [{ ...string, enum: ['a'] }, { ...string, enum: ['b', 'a'] }, undefined],
    [{ ...string, enum: ['a'] }, string, undefined],
  ],
  ...Object.fromEntries(
    (['maximum', 'maxLength', 'maxItems', 'maxProperties'] as const).map((keyword) => [
      keyword,
      [
        [string, { ...string, [keyword]: 5 }, 'spec.x: changes from nothing to 5'],
        [{ ...string, [keyword]: 5 }, { ...string, [keyword]: 4 }, 'spec.x: changes from 5 to 4'],
        [{ ...string, [keyword]: 5 }, { ...string, [keyword]: 6 }, undefined],
        [{ ...string, [keyword]: 5 }, string, undefined],
      ],
    ]),
  ),
  ...Object.fromEntries(
    (['minimum', 'minLength', 'minItems', 'minProperties'] as const).map((keyword) => [
      keyword,
      [
        [string, { ...string, [keyword]: 5 }, 'spec.x: changes from nothing to 5'],
        [{ ...string, [keyword]: 5 }, { ...string, [keyword]: 6 }, 'spec.x: changes from 5 to 6'],
        [{ ...string, [keyword]: 5 }, { ...string, [keyword]: 4 }, undefined],
        [{ ...string, [keyword]: 5 }, string, undefined],
      ],
    ]),
  ),
  pattern: [
    [string, { ...string, pattern: '^a' }, 'spec.x: changes from nothing to "^a"'],
    [{ ...string, pattern: '^a' }, { ...string, pattern: '^b' }, 'spec.x: changes from "^a" to "^b"'],
    [{ ...string, pattern: '^a' }, string, 'spec.x: changes from "^a" to nothing'],
    [{ ...string, pattern: '^a' }, { ...string, pattern: '^a', title: 'A' }, undefined],
  ],
  nullable: [
    [string, { ...string, nullable: true }, 'spec.x: changes from false to true'],
    [{ ...string, nullable: true }, string, 'spec.x: changes from true to false'],
    [string, { ...string, nullable: false }, undefined],
  ],
  unhandled: [
    [string, { ...string, format: 'date' }, 'spec.x: format changes from nothing to "date"'],
    [
      string,
      { ...string, 'x-kubernetes-validations': [{ rule: 'self != ""' }] },
      'spec.x: x-kubernetes-validations changes from nothing to [{"rule":"self != \\"\\""}]',
    ],
    [
      { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
      { type: 'array', items: string },
      'spec.x: x-kubernetes-list-type changes from "set" to nothing',
    ],
    [integer, { ...integer, multipleOf: 2 }, 'spec.x: multipleOf changes from nothing to 2'],
    [
      { type: 'object' },
      { type: 'object', additionalProperties: string },
      'spec.x.*: additionalProperties changes from nothing to {"type":"string"}',
    ],
    [string, { ...string, unknownKeyword: 1 } as StructuralSchema, 'spec.x: unknownKeyword changes from nothing to 1'],
    [string, { ...string, example: 'a' }, undefined],
  ],
};

describe('compareDefinitions()', () => {
  it('has a test of each check', () => {
    const ofDefinitions = ['scope', 'storedVersionRemoval', 'servedVersions', 'servedVersionRemoval', 'conversion'];
    expect([...Object.keys(cases), ...ofDefinitions].sort()).toEqual([...definitionChecks].sort());
  });

  describe.each(Object.entries(cases))('check %s', (check, ofCheck) => {
    it.each(ofCheck)('compares %j with %j', (before, after, expected) => {
      expect(changes(before, after)).toEqual(expected === undefined ? [] : [`${check} ${expected}`]);
    });
  });

  const schema = field(string);
  const checksOf = (before: CustomResourceDefinition, after: CustomResourceDefinition): string[] =>
    compareDefinitions(before, after).map(({ check, version, message }) => `${check} ${version ?? ''}: ${message}`);

  it('reports another scope', () => {
    expect(checksOf(definition([{ schema }]), definition([{ schema }], { scope: 'Cluster' }))).toEqual([
      'scope : the scope changes from Namespaced to Cluster',
    ]);
  });

  it('reports a removed version that is stored or served, and allows new ones', () => {
    const both = definition([{ schema }, { name: 'v2', schema }], {}, ['v1', 'v2']);
    expect(checksOf(both, definition([{ schema }]))).toEqual([
      'storedVersionRemoval : version v2 is removed, but objects are stored in it',
      'servedVersionRemoval : version v2 is no longer served, so clients that use it fail',
    ]);
    expect(checksOf(both, definition([{ schema }, { name: 'v2', schema, served: false }]))).toEqual([
      'servedVersionRemoval : version v2 is no longer served, so clients that use it fail',
    ]);
    expect(checksOf(definition([{ schema }]), both)).toEqual([]);
    const unserved = definition([{ schema }, { name: 'v2', schema, served: false }], {}, ['v1']);
    expect(checksOf(unserved, definition([{ schema }]))).toEqual([]);
  });

  it('compares each version with itself', () => {
    const before = definition([{ schema }, { name: 'v2', schema: field(integer) }]);
    expect(checksOf(before, definition([{ schema: field(integer) }, { name: 'v2', schema: field(integer) }]))).toEqual([
      'type v1: changes from "string" to "integer"',
    ]);
  });

  const webhook = { conversion: { strategy: 'Webhook' } };
  const other = { name: 'v2', schema: field({ ...string, maxLength: 5 }) };

  it('reports new differences between served versions, unless a webhook converts them', () => {
    expect(checksOf(definition([{ schema }]), definition([{ schema }, other]))).toEqual([
      'servedVersions v2: maxLength differs from version v1, so objects of v1 can be invalid',
    ]);
    expect(checksOf(definition([{ schema }, other]), definition([{ schema }, other]))).toEqual([]);
    expect(checksOf(definition([{ schema }]), definition([{ schema }, other], webhook))).toEqual([]);
  });

  it('reports that the conversion webhook is removed', () => {
    expect(checksOf(definition([{ schema }], webhook), definition([{ schema }]))).toEqual([
      'conversion : the conversion webhook is removed, so objects of other versions are no longer converted',
    ]);
    expect(checksOf(definition([{ schema }]), definition([{ schema }], webhook))).toEqual([]);
  });
});
