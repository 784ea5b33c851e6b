import type { ExpressionOptions } from '../../regular-expression/expression-validations.ts';
import { translateExpression, whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, looser, notExpressible, stricter } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';
import type { ValidatorExpression } from './validator-expressions.ts';

const checkDigits = 'the schema knows the shape, and no check digits';
const capitals = 'it makes capitals of characters such as ß, which the schema refuses';

/** A tax number may contain anywhere what validator.js takes out first. */
function withTakenOut([first]: readonly ValidatorExpression[]): ExpressionOptions {
  if (first?.use !== 'replace') return {};
  const taken = translateExpression(first);
  return 'refused' in taken ? {} : { between: `(?:${taken.pattern})*` };
}

/** Decorators whose meaning depends on a country or language. */
export const countryRules: ConstraintRules = {
  isAlpha: observedRule({ name: 'isAlpha' }),
  isAlphanumeric: observedRule({ name: 'isAlphanumeric' }),
  isMobilePhone: observedRule({
    name: 'isMobilePhone',
    called: ([locale]) => [locale],
    also: ([, options]) => ((options as { strictMode?: boolean } | undefined)?.strictMode ? [{ pattern: '^\\+' }] : []),
  }),
  isPostalCode: observedRule({ name: 'isPostalCode' }),
  isPassportNumber: observedRule({
    name: 'isPassportNumber',
    outcome: stricter(capitals),
    options: () => ({ between: `[${whitespace}]*` }),
    ignoresCase: true,
  }),
  isTaxId: observedRule({
    name: 'isTaxID',
    called: ([locale]) => [locale || 'en-US'],
    outcome: looser(checkDigits),
    options: withTakenOut,
  }),
  isPhoneNumber: {
    implies: () => 'string',
    ...notExpressible(
      'it asks a library of all numbering plans; use @Matches(/^\\+[1-9][0-9]{6,14}$/) for numbers in the form of E.164',
    ),
  },
};
