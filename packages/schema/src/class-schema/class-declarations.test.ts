import type { SchemaDeclaration } from '@evenkeel/core';
import { CompiledRule, compileRule, DeclaredType } from '../evaluate/cel/index.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ApiClass } from '../model/api-class.ts';
import { writeClassDeclarations } from './class-declarations.ts';

const members = Array.from({ length: 10 }, (_, index) => `member${index}`);

/** The rules of a declaration for a class with ten unbounded members and a discriminator. */
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

/** The API server's cost estimate for the rules of a schema. One rule may cost 10,000,000. */
function costs(schema: StructuralSchema): number[] {
  return (schema['x-kubernetes-validations'] ?? []).map(({ rule }) => estimate(rule, schema));
}

describe('rules of @ExactlyOneOf, @AtMostOneOf and @AtLeastOneOf', () => {
  it.each(['exactlyOne', 'atMostOne', 'atLeastOne'] as const)(
    'cost little for %s, however long the members are',
    (set) => {
      const [cost = Infinity] = costs(schemaWith({ says: 'members', set, of: members }));
      expect(cost).toBeLessThanOrEqual(40);
    },
  );

  it('cost less than a list of the present members, which controller-gen 0.21 writes', () => {
    const schema = schemaWith({ says: 'members', set: 'exactlyOne', of: members });
    const listed = `[${members.map((name) => `has(self.${name})`).join(',')}].filter(x,x==true).size() == 1`;
    expect(estimate(listed, schema)).toBeGreaterThan(2 * (costs(schema)[0] ?? Infinity));
  });

  it('are omitted if a member is missing, which has been reported', () => {
    expect(costs(schemaWith({ says: 'members', set: 'exactlyOne', of: ['member1', 'other'] }))).toEqual([]);
  });
});

describe('rules of @Union', () => {
  it('cost little, because the discriminator has an enum', () => {
    const variants = Object.fromEntries(members.map((member) => [member.toUpperCase(), member]));
    const schema = schemaWith({ says: 'union', discriminator: 'type', variants });
    expect(schema.properties?.['type']?.enum).toEqual(Object.keys(variants));
    expect(schema.required).toEqual(['type']);
    expect(costs(schema)).toHaveLength(10);
    expect(Math.max(...costs(schema))).toBeLessThanOrEqual(10);
  });

  it('ignore Object.prototype', () => {
    const variants = JSON.parse('{ "__proto__": "member1", "constructor": "toString" }');
    const schema = schemaWith({ says: 'union', discriminator: 'type', variants });
    expect(schema.properties?.['type']?.enum).toEqual(['__proto__', 'constructor']);
    expect(schema['x-kubernetes-validations']).toHaveLength(1);
  });
});
