import type { StructuralSchema } from '../structural-schema.ts';
import { CelError, CompiledRule, CostBudget, compileRule, DeclaredType } from './index.ts';

const schema: StructuralSchema = {
  type: 'object',
  properties: {
    replicas: { type: 'integer' },
    name: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
  },
};
const declared = DeclaredType.of(schema);

function compiled(expression: string, options: Partial<Parameters<typeof compileRule>[0]> = {}): CompiledRule {
  const rule = compileRule({ expression, declared, ...options });
  if (!(rule instanceof CompiledRule)) throw new Error(rule.message);
  return rule;
}

function failure(evaluate: () => unknown): CelError {
  try {
    evaluate();
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
  throw new Error('the rule compiled, but must fail');
}

describe('compileRule', () => {
  it('detects whether a rule compares with the old value', () => {
    expect(compiled('self.replicas > 0').usesOldSelf).toBe(false);
    expect(compiled('self.replicas >= oldSelf.replicas').usesOldSelf).toBe(true);
    expect(compiled('[1].all(oldSelf, true)').usesOldSelf).toBe(false);
  });

  it('compares with the old value', () => {
    const rule = compiled('self.replicas >= oldSelf.replicas');
    const budget = new CostBudget();
    expect(rule.evaluate({ self: { replicas: 3 }, oldSelf: { replicas: 2 } }, budget)).toBe(true);
    expect(rule.evaluate({ self: { replicas: 1 }, oldSelf: { replicas: 2 } }, budget)).toBe(false);
  });

  it('passes an optional old value to rules with optionalOldSelf', () => {
    const rule = compiled('oldSelf.hasValue() ? oldSelf.value().replicas == 1 : self.replicas == 2', {
      optionalOldSelf: true,
    });
    const budget = new CostBudget();
    expect(rule.evaluate({ self: { replicas: 2 } }, budget)).toBe(true);
    expect(rule.evaluate({ self: { replicas: 2 }, oldSelf: { replicas: 3 } }, budget)).toBe(false);
    expect(rule.evaluate({ self: { replicas: 2 }, oldSelf: { replicas: 1 } }, budget)).toBe(true);
  });

  it('selects fields of an optional old value', () => {
    const rule = compiled('oldSelf.replicas.orValue(0) == 0', { optionalOldSelf: true });
    expect(rule.evaluate({ self: {} }, new CostBudget())).toBe(true);
    expect(rule.evaluate({ self: {}, oldSelf: { replicas: 1 } }, new CostBudget())).toBe(false);
  });

  it('compiles message expressions, which are strings', () => {
    const message = compiled("'replicas is ' + string(self.replicas)", { result: 'string' });
    expect(message.evaluate({ self: { replicas: 3 } }, new CostBudget())).toBe('replicas is 3');
    expect(compileRule({ expression: 'self.replicas', declared, result: 'string' })).toEqual({
      message: 'messageExpression must evaluate to a string',
      issues: [],
    });
  });

  it('rejects rules that do not return a boolean', () => {
    expect(compileRule({ expression: 'self.replicas', declared })).toEqual({
      message: 'cel expression must evaluate to a bool',
      issues: [],
    });
  });

  it('reports the position of an error in code points', () => {
    const failed = compileRule({ expression: "'😀' == 'a' &&\n  self.foo", declared });
    expect(failed).toMatchObject({ issues: [{ line: 2, column: 6, message: "undefined field 'foo'" }] });
  });

  it('adds the fields of every resource to a whole resource', () => {
    const root = { declared: DeclaredType.of({ type: 'object', properties: { spec: schema } }, true) };
    const self = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', namespace: 'b' } };
    expect(compiled("self.metadata.name == 'a' && self.kind == 'X'", root).evaluate({ self }, new CostBudget())).toBe(
      true,
    );
    expect(compileRule({ expression: "self.metadata.namespace == 'b'", ...root })).toHaveProperty('issues.length', 1);
  });

  it('compiles no rules for data that expressions cannot see', () => {
    const hidden = DeclaredType.of({ 'x-kubernetes-preserve-unknown-fields': true });
    expect(hidden.kind).toBe('preserved');
    expect(compileRule({ expression: 'true', declared: hidden })).toHaveProperty('message');
  });

  it('does not let keys of the data reach prototypes', () => {
    const open: StructuralSchema = { type: 'object', additionalProperties: { type: 'string' } };
    for (const key of ['__proto__', 'constructor', 'toString']) {
      const rule = compiled(`'${key}' in self`, { declared: DeclaredType.of(open) });
      expect(rule.evaluate({ self: {} }, new CostBudget())).toBe(false);
      expect(rule.evaluate({ self: JSON.parse(`{"${key}": "x"}`) }, new CostBudget())).toBe(true);
    }
    expect(compileRule({ expression: 'self.constructor == 1', declared })).toHaveProperty('issues.length', 1);
  });

  it('keeps 64 bits of integers', () => {
    const rule = compiled('self.replicas - 1 == 9223372036854775806');
    expect(rule.evaluate({ self: { replicas: 9223372036854775807n } }, new CostBudget())).toBe(true);
  });

  it('fails if data does not satisfy the schema', () => {
    const rule = compiled('self.replicas == 1');
    expect(failure(() => rule.evaluate({ self: { replicas: 1.5 } }, new CostBudget())).message).toBe(
      'invalid data, expected int, got float64',
    );
    expect(failure(() => rule.evaluate({ self: [] }, new CostBudget())).reason).toBe('evaluation');
  });
});

describe('the cost of rules', () => {
  const nested = 'self.tags.all(a, self.tags.all(b, self.tags.all(c, a + b + c != "")))';

  it('ends a call that exceeds the limit of one call', () => {
    const tags = Array.from({ length: 100 }, (_, i) => `tag-${i}`);
    const budget = new CostBudget();
    const { reason, message } = failure(() => compiled(nested).evaluate({ self: { tags } }, budget));
    expect(reason).toBe('cost');
    expect(message).toBe('operation cancelled: actual cost limit exceeded');
    expect(budget.remaining).toBeLessThan(9_000_000);
  });

  it('ends the call even if || would continue after an error', () => {
    const tags = Array.from({ length: 100 }, (_, i) => `tag-${i}`);
    expect(failure(() => compiled(`${nested} || true`).evaluate({ self: { tags } }, new CostBudget())).reason).toBe(
      'cost',
    );
  });

  it('ends the evaluation of an object if the budget is used up', () => {
    const rule = compiled('self.replicas > 0');
    const budget = new CostBudget(8);
    expect(rule.evaluate({ self: { replicas: 1 } }, budget)).toBe(true);
    expect(rule.evaluate({ self: { replicas: 1 } }, budget)).toBe(true);
    expect(failure(() => rule.evaluate({ self: { replicas: 1 } }, budget)).reason).toBe('budget');
    expect(budget.remaining).toBeLessThan(0);
  });
});
