import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from './constraint.ts';
import { addValidation, exact, looser, notExpressible, tighten } from './constraint.ts';
import { literalPattern, translateExpression } from './regular-expression.ts';

const string = () => 'string' as const;

/** Decorators that bound or match a string. Formats stand in `string-formats.ts`. */
export const stringRules: ConstraintRules = {
  isString: { grade: 'exact', implies: string },
  isLength: {
    decorator: 'Length',
    grade: 'exact',
    implies: string,
    apply: (schema, [min, max]) => {
      const lower = bounded(schema, 'minLength', min);
      return max === undefined || lower.grade !== 'exact' ? lower : bounded(schema, 'maxLength', max);
    },
  },
  minLength: { grade: 'exact', implies: string, apply: (schema, [min]) => bounded(schema, 'minLength', min) },
  maxLength: { grade: 'exact', implies: string, apply: (schema, [max]) => bounded(schema, 'maxLength', max) },
  contains: {
    grade: 'exact',
    implies: string,
    apply: (schema, [seed]) => {
      if (seed !== '') addValidation(schema, { pattern: literalPattern(String(seed)) });
      return exact;
    },
  },
  notContains: {
    grade: 'exact',
    implies: string,
    apply: (schema, [seed]) => {
      addValidation(schema, { not: { pattern: literalPattern(String(seed)) } });
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
      schema['x-kubernetes-validations'] = [
        ...(schema['x-kubernetes-validations'] ?? []),
        {
          rule: terms.join(' && '),
          message: `must have ${String(min ?? 0)} to ${String(max ?? 'any number of')} bytes`,
        },
      ];
      // A character takes at least one byte; the bound keeps the rule's estimated cost low.
      if (typeof max === 'number') tighten(schema, 'maxLength', Math.floor(max));
      return exact;
    },
  },
};

/** A rule that accepts exactly what a pattern in RE2's language does. */
export function patternRule(pattern: string): ConstraintRule {
  return {
    grade: 'exact',
    implies: string,
    apply: (schema) => {
      addValidation(schema, { pattern });
      return exact;
    },
  };
}

function applyExpression(schema: StructuralSchema, expression: unknown, modifiers: unknown): Outcome {
  let parsed: RegExp;
  try {
    parsed =
      expression instanceof RegExp
        ? expression
        : new RegExp(String(expression), typeof modifiers === 'string' ? modifiers : '');
  } catch (error) {
    return notExpressible(error instanceof Error ? error.message : String(error));
  }
  const translated = translateExpression(parsed);
  if ('refused' in translated) return notExpressible(translated.refused);
  addValidation(schema, { pattern: translated.pattern });
  return translated.countsAstralOnce
    ? looser('characters beyond U+FFFF count once, in JavaScript twice; add the flag u to the expression')
    : exact;
}

function bounded(schema: StructuralSchema, key: 'minLength' | 'maxLength', bound: unknown): Outcome {
  if (typeof bound !== 'number' || !Number.isFinite(bound)) return notExpressible('its bound is not a number');
  const whole = key === 'maxLength' ? Math.floor(bound) : Math.ceil(bound);
  if (whole < 0) return key === 'maxLength' ? notExpressible('no text is that short') : exact;
  if (key === 'maxLength' || whole > 0) tighten(schema, key, whole);
  return exact;
}
