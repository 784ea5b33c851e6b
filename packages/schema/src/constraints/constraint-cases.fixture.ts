import type { ConstraintCase } from './constraint-case.fixture.ts';
import { stringFormatCases } from './string-formats.fixture.ts';
import { stringCases } from './strings.fixture.ts';

/**
 * Every case, in the order of the rules in constraint-table.ts. Beside each file of rules stands a fixture of the same
 * name with its cases: at least one for each rule, one for each set of parameters that is written differently. A rule of
 * its own in `identifiers.ts` needs a line in constraint-table.ts, its cases in `identifiers.fixture.ts` a line here.
 */
export const constraintCases: readonly ConstraintCase[] = [...stringCases, ...stringFormatCases];
