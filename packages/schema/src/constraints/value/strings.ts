import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import { allowsAsciiOnly } from '../../regular-expression/ascii-pattern.ts';
import { expressionValidations } from '../../regular-expression/expression-validations.ts';
import { literalPattern } from '../../regular-expression/translate-expression.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from '../rule/constraint.ts';
import {
  addRule,
  addValidation,
  both,
  exact,
  looser,
  neverAccepted,
  notExpressible,
  stricter,
  tighten,
} from '../rule/constraint.ts';

const string = () => 'string' as const;

/** The reason why lengths differ. */
export const selectors =
  'the API server counts a variation selector (U+FE0E, U+FE0F) as a character, but the validator does not; exclude it with a @Matches() of ASCII characters';

/** Decorators that limit or match a string. */
export const stringRules: ConstraintRules = {
  isString: { grade: 'exact', implies: string },
  isLength: {
    decorator: 'Length',
    grade: 'stricter',
    reason: selectors,
    implies: string,
    apply: (schema, [min, max]) =>
      both(bound(schema, 'minLength', min), max === undefined ? exact : bound(schema, 'maxLength', max)),
    settle: (schema, [min, max]) => both(settled(schema, 'minLength', min), settled(schema, 'maxLength', max)),
  },
  minLength: length('minLength'),
  maxLength: length('maxLength'),
  contains: {
    grade: 'exact',
    implies: string,
    apply: (schema, [seed]) => {
      addValidation(schema, { pattern: seedPattern(seed) });
      return exact;
    },
  },
  notContains: {
    grade: 'exact',
    implies: string,
    apply: (schema, [seed]) => {
      addValidation(schema, { not: { pattern: seedPattern(seed) } });
      return exact;
    },
  },
  matches: {
    grade: 'exact',
    implies: string,
    apply: (schema, [expression, modifiers]) => applyExpression(schema, expression, modifiers),
  },
  isByteLength: {
    grade: 'exact',
    implies: string,
    apply: (schema, [min, max]) => {
      const terms = [
        typeof min === 'number' && min > 0 ? `size(bytes(self)) >= ${Math.ceil(min)}` : undefined,
        typeof max === 'number' ? `size(bytes(self)) <= ${Math.floor(max)}` : undefined,
      ].filter((term) => term !== undefined);
      if (terms.length === 0) return exact;
      addRule(schema, terms.join(' && '), `must have ${String(min ?? 0)} to ${String(max ?? 'any number of')} bytes`);
      // A character takes at least one byte; the bound keeps the rule's estimated cost low.
      if (typeof max === 'number') tighten(schema, 'maxLength', Math.floor(max));
      return exact;
    },
  },
};

/** The pattern of a seed as validator.js reads it: as a string, empty for null and undefined. */
function seedPattern(seed: unknown): string {
  const text = seed === undefined || seed === null || Number.isNaN(seed) ? '' : String(seed);
  // validator.js splits the string by the seed. An empty seed splits it into UTF-16 units, and it needs at least two.
  return text === '' ? '(?s:..)|[\\x{10000}-\\x{10FFFF}]' : literalPattern(text);
}

const astral =
  'the API server counts a character beyond U+FFFF once, but JavaScript twice; add the flag u to the expression';
const withinAstral =
  'in JavaScript \\B also matches inside characters beyond U+FFFF; match the allowed characters instead';

const alternatives =
  'rewrite the expression (several @Matches() must all match, @NotContains() and @Rule() exclude values), or check it only in the operator with @ValidateBy()';

function mistake(reason: string, fix: string): Outcome {
  return { ...notExpressible(`${reason}; ${fix}`), mistake: 'untranslatable-expression' };
}

function applyExpression(
  schema: StructuralSchema,
  expression: unknown,
  modifiers: unknown,
): Outcome | readonly Outcome[] {
  let parsed: RegExp;
  try {
    parsed =
      expression instanceof RegExp
        ? expression
        : new RegExp(String(expression), typeof modifiers === 'string' ? modifiers : '');
  } catch (error) {
    return mistake(error instanceof Error ? error.message : String(error), 'fix the expression');
  }
  const said = expressionValidations(parsed);
  if ('refused' in said) return mistake(said.refused, alternatives);
  for (const { pattern, not } of said.all) {
    if (pattern !== undefined) addValidation(schema, { pattern });
    if (not !== undefined) addValidation(schema, { not });
  }
  if (!said.countsAstralOnce) return exact;
  const reason = parsed.unicode ? withinAstral : astral;
  return [looser(reason), stricter(reason)];
}

function length(key: 'minLength' | 'maxLength'): ConstraintRule {
  return {
    grade: key === 'minLength' ? 'looser' : 'stricter',
    reason: selectors,
    implies: string,
    apply: (schema, [limit]) => bound(schema, key, limit),
    settle: (schema, [limit]) => settled(schema, key, limit),
  };
}

function bound(schema: StructuralSchema, key: 'minLength' | 'maxLength', limit: unknown): Outcome {
  const isMax = key === 'maxLength';
  // The validator reads a missing lower bound as 0.
  if (!isMax && !limit) return exact;
  if (typeof limit !== 'number' || Number.isNaN(limit)) return neverAccepted('its bound is not a number');
  if (isMax ? limit < 0 : limit === Number.POSITIVE_INFINITY) return neverAccepted(`no string has ${limit} characters`);
  const whole = isMax ? Math.floor(limit) : Math.ceil(limit);
  if (Number.isFinite(whole) && (isMax || whole > 0)) tighten(schema, key, whole);
  return exact;
}

/** The grade of a bound: exact if there can be no selectors, and for bounds of zero or one character. */
function settled(schema: StructuralSchema, key: 'minLength' | 'maxLength', limit: unknown): Outcome {
  if (typeof limit !== 'number' || !Number.isFinite(limit) || schema.enum !== undefined || allowsAsciiOnly(schema))
    return exact;
  if (key === 'minLength') return limit > 1 ? looser(selectors) : exact;
  return limit >= 1 ? stricter(selectors) : exact;
}
