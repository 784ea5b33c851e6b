import type { ConstraintRules } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';

/** Decorators for numbers and amounts in strings. */
export const numeralRules: ConstraintRules = {
  isNumberString: observedRule({ name: 'isNumeric' }),
  isDecimal: observedRule({
    name: 'isDecimal',
    text: '0',
    // The function rejects these, although its expression accepts them.
    also: () => [{ not: { pattern: '^[+-]?$' } }],
  }),
  isCurrency: observedRule({ name: 'isCurrency' }),
};
