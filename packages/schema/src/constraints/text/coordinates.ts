import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import { whitespace } from '../../regular-expression/translate-expression.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from '../rule/constraint.ts';
import { addValidation, exact, notExpressible } from '../rule/constraint.ts';
import { limit } from '../value/numbers.ts';

const latitude = '[+-]?(?:90(?:\\.0+)?|[1-8]?[0-9](?:\\.[0-9]+)?)';
const longitude = `[${whitespace}]?[+-]?(?:180(?:\\.0+)?|1[0-7][0-9](?:\\.[0-9]+)?|[0-9]{1,2}(?:\\.[0-9]+)?)`;
const pair = `(?:${latitude},${longitude}|\\(${latitude},${longitude}\\))`;
/** The validator ignores everything after a second comma. */
const rest = '(?:,(?s:.*))?';

/** Decorators for geographic coordinates. */
export const coordinateRules: ConstraintRules = {
  isLatLong: {
    grade: 'exact',
    implies: () => 'string',
    apply: (schema) => {
      addValidation(schema, { pattern: `^${pair}${rest}$` });
      return exact;
    },
  },
  // The validator appends ",0", so it accepts a whole pair as a latitude.
  isLatitude: degrees(90, `^(?:${latitude}|${pair}${rest})$`),
  isLongitude: degrees(180, `^${longitude}${rest}$`),
};

/** A string or a number. The validator converts a number to a string, and rejects those with exponents. */
function degrees(most: number, pattern: string): ConstraintRule {
  return {
    grade: 'exact',
    apply: (schema) => {
      if (schema.type === 'string') addValidation(schema, { pattern });
      else if (schema.type === 'number' || schema.type === 'integer') return numeric(schema, most);
      else return notExpressible('it applies to a string or a number; declare one of these types');
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
