import { seed } from '../../../../test/seed.fixture.ts';
import { compareVerdicts, forget, gradesOf, prepare, reportedGrades } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';

describe('constraint rules compared with the validator', () => {
  it.each(constraintCases.map((tried) => [tried.written, tried] as const))('%s', async (_written, tried) => {
    const prepared = await prepare(tried);
    expect(reportedGrades(tried.rule, prepared)).toEqual(gradesOf(tried));
    compareVerdicts(tried, prepared, seed);
    forget(prepared);
  });
});
