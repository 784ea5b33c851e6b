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

/** Why lengths are never quite the same. */
export const selectors =
  'a variation selector (U+FE0E, U+FE0F) after a character counts for the API server, for the validator it does not; a @Matches() of ASCII characters rules it out';

/** Decorators that bound or match a string. */
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

/** As validator.js reads a seed: by its text, nothing for what is no value. */
function seedPattern(seed: unknown): string {
  const text = seed === undefined || seed === null || Number.isNaN(seed) ? '' : String(seed);
  // It splits the text by the seed: by none, into units, of which there have to be two.
  return text === '' ? '(?s:..)|[\\x{10000}-\\x{10FFFF}]' : literalPattern(text);
}

const astral = 'characters beyond U+FFFF count once, in JavaScript twice; add the flag u to the expression';
const withinAstral =
  'in JavaScript \\B holds also inside of characters beyond U+FFFF; say what may stand there instead';

const alternatives =
  'write it without (several @Matches() all hold, @NotContains() and @Rule() say what must not be), or leave it to the operator alone by @ValidateBy()';

function mistake(reason: string, mend: string): Outcome {
  return { ...notExpressible(`${reason}; ${mend}`), mistake: 'untranslatable-expression' };
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
    return mistake(error instanceof Error ? error.message : String(error), 'mend the expression');
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
  // The validator takes whatever is no lower bound for 0.
  if (!isMax && !limit) return exact;
  if (typeof limit !== 'number' || Number.isNaN(limit)) return neverAccepted('its bound is not a number');
  if (isMax ? limit < 0 : limit === Number.POSITIVE_INFINITY) return neverAccepted(`no text has ${limit} characters`);
  const whole = isMax ? Math.floor(limit) : Math.ceil(limit);
  if (Number.isFinite(whole) && (isMax || whole > 0)) tighten(schema, key, whole);
  return exact;
}

/** What counting makes of a bound: no difference where there are no selectors, or for none and one character. */
function settled(schema: StructuralSchema, key: 'minLength' | 'maxLength', limit: unknown): Outcome {
  if (typeof limit !== 'number' || !Number.isFinite(limit) || schema.enum !== undefined || allowsAsciiOnly(schema))
    return exact;
  if (key === 'minLength') return limit > 1 ? looser(selectors) : exact;
  return limit >= 1 ? stricter(selectors) : exact;
}
