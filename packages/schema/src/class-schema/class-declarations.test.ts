import type { SchemaDeclaration } from '@evenkeel/core';
import { CompiledRule, compileRule, DeclaredType } from '../evaluate/cel/index.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ApiClass } from '../model/api-class.ts';
import { writeClassDeclarations } from './class-declarations.ts';

const members = Array.from({ length: 10 }, (_, index) => `member${index}`);

/** The rules that a declaration writes for a class with ten members and a discriminator, none of them bounded. */
function schemaWith(declaration: SchemaDeclaration): StructuralSchema {
  const schema: StructuralSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(members.map((name) => [name, { type: 'string' }])),
      type: { type: 'string' },
    },
  };
  const read: ApiClass = { type: class {}, name: 'Choice', properties: [], says: [declaration] };
  writeClassDeclarations(read, schema, (_code, message) => {
    throw new Error(message);
  });
  return schema;
}

function estimate(expression: string, schema: StructuralSchema): number {
  const rule = compileRule({ expression, declared: DeclaredType.of(schema) });
  if (!(rule instanceof CompiledRule)) throw new Error(rule.message);
  return rule.estimateCost();
}

/** What the API server reckons for the rules of a schema, of the 10,000,000 that it allows one. */
function costs(schema: StructuralSchema): number[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => estimate(rule, schema));
}

describe('the rules of groups', () => {
  it.each(['exactlyOne', 'atMostOne', 'atLeastOne'] as const)(
    'of %s cost little, however long the members are',
    (set) => {
      const [cost = Infinity] = costs(schemaWith({ says: 'members', set, of: members }));
      expect(cost).toBeLessThanOrEqual(40);
    },
  );

  it('cost less than a list of the members that are there, which controller-gen 0.21 writes', () => {
    const schema = schemaWith({ says: 'members', set: 'exactlyOne', of: members });
    const listed = `[${members.map((name) => `has(self.${name})`).join(',')}].filter(x,x==true).size() == 1`;
    expect(estimate(listed, schema)).toBeGreaterThan(2 * (costs(schema)[0] ?? Infinity));
  });

  it('are left out where a member is not there, which has been reported', () => {
    expect(costs(schemaWith({ says: 'members', set: 'exactlyOne', of: ['member1', 'other'] }))).toEqual([]);
  });
});

describe('the rules of a union', () => {
  it('cost little, because the discriminator has an enum', () => {
    const variants = Object.fromEntries(members.map((member) => [member.toUpperCase(), member]));
    const schema = schemaWith({ says: 'union', discriminator: 'type', variants });
    expect(schema.properties?.['type']?.enum).toEqual(Object.keys(variants));
    expect(schema.required).toEqual(['type']);
    expect(costs(schema)).toHaveLength(10);
    expect(Math.max(...costs(schema))).toBeLessThanOrEqual(10);
  });

  it('leave the prototype of objects alone', () => {
    const variants = JSON.parse('{ "__proto__": "member1", "constructor": "toString" }');
    const schema = schemaWith({ says: 'union', discriminator: 'type', variants });
    expect(schema.properties?.['type']?.enum).toEqual(['__proto__', 'constructor']);
    expect(schema['x-kubernetes-validations']).toHaveLength(1);
  });
});
