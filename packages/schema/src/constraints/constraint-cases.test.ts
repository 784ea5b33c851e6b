import { compareVerdicts, forget, gradesOf, prepare, reportedGrades } from './constraint-case.fixture.ts';
import { constraintCases } from './constraint-cases.fixture.ts';

/** Another one in each run; `CONSTRAINT_SEED=...` runs a failed one again. */
const seed = Number(process.env['CONSTRAINT_SEED'] ?? Date.now() % 1_000_000);

describe('constraints against the validator itself', () => {
  it.each(constraintCases.map((tried) => [tried.written, tried] as const))('%s', async (_written, tried) => {
    const prepared = await prepare(tried);
    expect(reportedGrades(tried.rule, prepared)).toEqual(gradesOf(tried));
    compareVerdicts(tried, prepared, seed);
    forget(prepared);
  });
});
