import { conformance } from './conformance/index.fixture.ts';
import { type ConformanceRow, subject, subjectSchema } from './conformance/subject.fixture.ts';
import { CelError, CostBudget, compileRule, DeclaredType } from './index.ts';

const declared = DeclaredType.of(subjectSchema);
const limit = 1e12;

/** Our result for an expression, as a row. */
function evaluate(expression: string): ConformanceRow {
  const rule = compileRule({ expression, declared });
  if ('message' in rule) {
    const refused = rule.message.replace(/^compilation failed: /, '');
    return [expression, { refused }];
  }
  const estimate = rule.estimateCost();
  const countable = estimate > Number.MAX_SAFE_INTEGER ? null : estimate;
  const budget = new CostBudget(limit);
  try {
    const verdict = rule.evaluate({ self: subject, oldSelf: subject }, budget);
    return [expression, verdict === true, limit - budget.remaining, countable];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [expression, error.message, null, countable];
  }
}

describe.each(Object.entries(conformance))('CEL %s', (_, rows) => {
  it.each(rows.map((row) => ({ expression: row[0].slice(0, 100), row })))(
    'returns the expected result for $expression',
    ({ row }) => {
      expect(evaluate(row[0])).toEqual(row);
    },
  );
});
