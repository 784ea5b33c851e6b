import type { ConstraintRule, ConstraintRules } from '../rule/constraint.ts';
import { notExpressible } from '../rule/constraint.ts';

const noDate = "it accepts only Date objects, which JSON does not have; declare a string with @Format('date-time')";

/** Decorators for instances of Date, which do not exist in JSON. */
export const dateRules: ConstraintRules = {
  isDate: { grade: 'not-expressible', reason: noDate },
  minDate: bound('>='),
  maxDate: bound('<='),
};

function bound(operator: '>=' | '<='): ConstraintRule {
  const reason = (date: string) => `${noDate} and @Rule("self ${operator} timestamp('${date}')")`;
  return {
    grade: 'not-expressible',
    reason: reason('2026-01-01T00:00:00Z'),
    apply: (_schema, [date]) => {
      if (date instanceof Date && !Number.isNaN(date.getTime())) return notExpressible(reason(date.toISOString()));
      return notExpressible(`${noDate}; a bound that is a function can run only in the operator`);
    },
  };
}
