import type { StructuralSchema } from '../structural-schema.ts';
import { CompiledRule, compileRule, DeclaredType, maxCardinality, minSerializedSize } from './index.ts';

function estimate(expression: string, schema: StructuralSchema): number {
  const rule = compileRule({ expression, declared: DeclaredType.of(schema) });
  if (!(rule instanceof CompiledRule)) throw new Error(rule.message);
  return rule.estimateCost();
}

const names = (bounds: { maxItems?: number; maxLength?: number }): StructuralSchema => ({
  type: 'array',
  ...(bounds.maxItems === undefined ? {} : { maxItems: bounds.maxItems }),
  items: { type: 'string', ...(bounds.maxLength === undefined ? {} : { maxLength: bounds.maxLength }) },
});

describe('the estimated cost of a rule', () => {
  const unique = 'self.all(a, self.exists_one(b, a == b))';

  it("equals the API server's: above the limit of 10,000,000 without bounds", () => {
    expect(estimate(unique, names({}))).toBeGreaterThan(10_000_000);
  });

  it('decreases with the bounds of the schema', () => {
    const bounded = estimate(unique, names({ maxItems: 10, maxLength: 63 }));
    expect(bounded).toBeLessThan(10_000);
    expect(estimate(unique, names({ maxItems: 20, maxLength: 63 }))).toBeGreaterThan(bounded);
    expect(estimate(unique, names({ maxItems: 10, maxLength: 630 }))).toBeGreaterThan(bounded);
  });

  it('uses the longest value of an enum as the bound of a string', () => {
    const schema: StructuralSchema = { type: 'string', enum: ['a', 'abcdefghij'] };
    expect(estimate("self == 'abcdefghijk'", schema)).toBe(2);
  });
});

describe('the bounds of a schema', () => {
  it('include the smallest size in JSON, without fields that have a default', () => {
    const schema: StructuralSchema = {
      type: 'object',
      required: ['ab', 'c'],
      properties: { ab: { type: 'integer' }, c: { type: 'string', default: 'x' }, d: { type: 'boolean' } },
    };
    // {} and "ab": with a comma and one digit.
    expect(minSerializedSize(DeclaredType.of(schema))).toBe(2 + 2 + 1 + 4);
  });

  it('include how often data can occur in a request of 3 MiB', () => {
    const declared = DeclaredType.of({ type: 'boolean' });
    expect(maxCardinality(declared)).toBe(Math.floor((3 * 1024 * 1024) / 5));
  });
});
