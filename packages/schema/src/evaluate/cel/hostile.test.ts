import { bounded } from '../custom-resource/hostile.fixture.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { CelError, CompiledRule, CostBudget, compileRule, DeclaredType } from './index.ts';

const schema: StructuralSchema = {
  type: 'object',
  properties: { s: { type: 'string' }, l: { type: 'array', items: { type: 'integer' } } },
};
const self = { s: 'a'.repeat(100_000), l: Array.from({ length: 20_000 }, (_, i) => i) };
/** The result of an expression, or the message of its failure. */
function endOf(expression: string): string {
  const rule = compileRule({ expression, declared: DeclaredType.of(schema) });
  if (!(rule instanceof CompiledRule)) return rule.message;
  try {
    return String(rule.evaluate({ self }, new CostBudget()));
  } catch (error) {
    if (error instanceof CelError) return error.message;
    throw error;
  }
}

const tooDeep = 'compilation failed: ERROR: <input>:-1:0: expression recursion limit exceeded: 250';
const tooExpensive = 'operation cancelled: actual cost limit exceeded';
const budgetUsedUp = 'validation failed due to running out of cost budget, no further validation rules will be run';
const nestedLoops = (depth: number) => `${'self.l.all(x, '.repeat(depth)}x >= 0${')'.repeat(depth)}`;

describe('hostile expressions', () => {
  it.each([
    ['10,000 parentheses', `${'('.repeat(10_000)}1${')'.repeat(10_000)}`, tooDeep],
    ['10,000 brackets', '['.repeat(10_000), tooDeep],
    ['10,000 conditionals', `${'true ? true : '.repeat(5000)}true`, tooDeep],
    [
      '10,000 selections',
      `self${'.a'.repeat(10_000)}`,
      'compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded',
    ],
    [
      '10,000 additions',
      `${'1+'.repeat(10_000)}1`,
      'compilation failed: ERROR: <input>:-1:0: max recursion depth exceeded',
    ],
    ['10,000 conjunctions', `${'true && '.repeat(10_000)}true`, 'true'],
    ['10,000 negations', `${'!'.repeat(10_000)}true`, 'true'],
    [
      'too much text',
      `'${'a'.repeat(100_000)}' == ''`,
      'compilation failed: ERROR: <input>:-1:0: expression code point size exceeds limit: size: 100008, limit 100000',
    ],
    ['loops in loops', nestedLoops(4), tooExpensive],
    ['loops that only fail', 'self.l.all(x, self.l.all(y, 1 / 0 == 1)) || true', tooExpensive],
    ['lists that double', `${'[self.l, '.repeat(20)}[]${']'.repeat(20)}.size() == 2`, undefined],
    ['lists added in a loop', 'self.l.map(x, self.l + self.l).size() == 20000', 'true'],
    ['strings that double', 'self.l.map(x, self.s + self.s).size() == 1', tooExpensive],
    ['an enormous range', 'lists.range(9223372036854775807).size() > 0', budgetUsedUp],
    ['sorting again and again', 'self.l.map(x, self.l.sort()).size() == 1', budgetUsedUp],
    ['comparing all with all', 'lists.range(900000).distinct().size() == 1', budgetUsedUp],
    ['sets of everything', 'sets.contains(self.l, self.l)', budgetUsedUp],
    ['flattening again and again', 'self.l.map(x, [self.l, self.l].flatten()).size() == 1', tooExpensive],
    ['replacing by more and more', "self.s.replace('a', self.s).size() == 1", tooExpensive],
    ['joining more and more', "self.l.map(x, self.s).join() == ''", budgetUsedUp],
    ['writing more and more', "'%s'.format([self.l.map(x, self.s)]) == ''", tooExpensive],
    ['lists that double by name', `optional.of(self.l)${'.optMap(x, x + x)'.repeat(12)}.hasValue()`, tooExpensive],
    [
      'lists that double in a name',
      `${'optional.of(self.l).optMap(x, '.repeat(1)}${'optional.of(x + x).optMap(x, '.repeat(40)}x.size()${')'.repeat(41)}.hasValue()`,
      tooExpensive,
    ],
    ['optionals in optionals', `optional.of(1)${'.optMap(x, x)'.repeat(100)}.hasValue()`, tooExpensive],
    ['an exponential regular expression', "self.s.matches('^(a+)+$b')", 'false'],
    ['nested repetition', "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!'.matches('^(((a*)*)*)*$')", 'false'],
    ['a huge repetition', "'a'.matches('(a{1,1000}){1,1000}')", undefined],
    ['a huge precision', "'%.999999999f'.format([1.0]).size() > 0", 'true'],
    ['a huge quantity', "quantity('1e999999999').isGreaterThan(quantity('1'))", 'true'],
    ['a tiny quantity', "quantity('1e-999999999').isGreaterThan(quantity('0'))", 'true'],
  ])('ends in time: %s', (_, expression, end) => {
    const ended = bounded(() => endOf(expression));
    if (end !== undefined) expect(ended).toBe(end);
  });
});
