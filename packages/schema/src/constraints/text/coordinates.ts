import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import { whitespace } from '../../regular-expression/translate-expression.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from '../rule/constraint.ts';
import { addValidation, exact, notExpressible } from '../rule/constraint.ts';
import { limit } from '../value/numbers.ts';

const latitude = '[+-]?(?:90(?:\\.0+)?|[1-8]?[0-9](?:\\.[0-9]+)?)';
const longitude = `[${whitespace}]?[+-]?(?:180(?:\\.0+)?|1[0-7][0-9](?:\\.[0-9]+)?|[0-9]{1,2}(?:\\.[0-9]+)?)`;
const pair = `(?:${latitude},${longitude}|\\(${latitude},${longitude}\\))`;
/** The validator does not look at what comes after a second comma. */
const rest = '(?:,(?s:.*))?';

/** Decorators for places on the earth. */
export const coordinateRules: ConstraintRules = {
  isLatLong: {
    grade: 'exact',
    implies: () => 'string',
    apply: (schema) => {
      addValidation(schema, { pattern: `^${pair}${rest}$` });
      return exact;
    },
  },
  // The validator appends ",0", so that a whole pair passes for a latitude.
  isLatitude: degrees(90, `^(?:${latitude}|${pair}${rest})$`),
  isLongitude: degrees(180, `^${longitude}${rest}$`),
};

/** A text or a number; the validator reads a number as JavaScript writes it, of which those with exponents are none. */
function degrees(most: number, pattern: string): ConstraintRule {
  return {
    grade: 'exact',
    apply: (schema) => {
      if (schema.type === 'string') addValidation(schema, { pattern });
      else if (schema.type === 'number' || schema.type === 'integer') return numeric(schema, most);
      else return notExpressible('it is about a string or a number; declare which');
      return exact;
    },
  };
}

function numeric(schema: StructuralSchema, most: number): Outcome {
  limit(schema, 'minimum', -most, false);
  limit(schema, 'maximum', most, false);
  if (schema.type === 'number') {
    addValidation(schema, { anyOf: [{ minimum: 0, maximum: 0 }, { minimum: 1e-6 }, { maximum: -1e-6 }] });
  }
  return exact;
}
