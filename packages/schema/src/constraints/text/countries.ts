import type { ExpressionOptions } from '../../regular-expression/expression-validations.ts';
import { translateExpression, whitespace } from '../../regular-expression/translate-expression.ts';
import { type ConstraintRules, looser, notExpressible, stricter } from '../rule/constraint.ts';
import { observedRule } from './observed-rule.ts';
import type { ValidatorExpression } from './validator-expressions.ts';

const checkDigits = 'the schema checks the format, but not the check digits';
const capitals = 'the validator converts characters such as ß to upper case first, but the schema rejects them';

/** validator.js removes some characters first, so a tax number may contain them anywhere. */
function withTakenOut([first]: readonly ValidatorExpression[]): ExpressionOptions {
  if (first?.use !== 'replace') return {};
  const taken = translateExpression(first);
  return 'refused' in taken ? {} : { between: `(?:${taken.pattern})*` };
}

/** Decorators that depend on a country or language. */
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
      'the validator uses a library of all numbering plans; use @Matches(/^\\+[1-9][0-9]{6,14}$/) for E.164 numbers',
    ),
  },
};
