import type { ConstraintRules } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';

/** Decorators of numbers and amounts that are written as texts. */
export const numeralRules: ConstraintRules = {
  isNumberString: observedRule({ name: 'isNumeric' }),
  isDecimal: observedRule({
    name: 'isDecimal',
    text: '0',
    // Its expression accepts them, it does not.
    also: () => [{ not: { pattern: '^[+-]?$' } }],
  }),
  isCurrency: observedRule({ name: 'isCurrency' }),
};
