import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import type { ConstraintRules, Outcome } from './constraint.ts';
import { exact, looser, notExpressible } from './constraint.ts';

const number = () => 'number' as const;

/** Decorators that bound a number. */
export const numberRules: ConstraintRules = {
  isInt: {
    grade: 'exact',
    implies: () => 'integer',
  },
  isNumber: {
    grade: 'exact',
    implies: number,
    apply: (_schema, [options]) => {
      const { maxDecimalPlaces } = (options ?? {}) as { maxDecimalPlaces?: number };
      if (maxDecimalPlaces === undefined) return exact;
      return looser(
        'maxDecimalPlaces has no counterpart: multipleOf is wrong for fractions (0.3 is no multiple of 0.1)',
      );
    },
  },
  min: {
    grade: 'exact',
    implies: number,
    apply: (schema, [bound]) => (typeof bound === 'number' ? atLeast(schema, bound, false) : noBound()),
  },
  max: {
    grade: 'exact',
    implies: number,
    apply: (schema, [bound]) => (typeof bound === 'number' ? atMost(schema, bound, false) : noBound()),
  },
  isPositive: { grade: 'exact', implies: number, apply: (schema) => atLeast(schema, 0, true) },
  isNegative: { grade: 'exact', implies: number, apply: (schema) => atMost(schema, 0, true) },
  isDivisibleBy: {
    grade: 'exact',
    implies: number,
    apply: (schema, [divisor]) => {
      // validator's own reading of the divisor.
      const whole = Number.parseInt(String(divisor), 10);
      if (!(whole > 0)) return notExpressible(`no number is divisible by ${String(divisor)}`);
      schema.multipleOf = schema.multipleOf === undefined ? whole : leastCommonMultiple(schema.multipleOf, whole);
      return exact;
    },
  },
};

function noBound(): Outcome {
  return notExpressible('its bound is not a number');
}

function atLeast(schema: StructuralSchema, bound: number, exclusive: boolean): Outcome {
  if (!Number.isFinite(bound)) return noBound();
  if (!Number.isInteger(bound)) return fractional(schema, bound, '>=');
  const { minimum } = schema;
  if (minimum === undefined || bound > minimum || (bound === minimum && exclusive)) {
    schema.minimum = bound;
    delete schema.exclusiveMinimum;
    if (exclusive) schema.exclusiveMinimum = true;
  }
  return exact;
}

function atMost(schema: StructuralSchema, bound: number, exclusive: boolean): Outcome {
  if (!Number.isFinite(bound)) return noBound();
  if (!Number.isInteger(bound)) return fractional(schema, bound, '<=');
  const { maximum } = schema;
  if (maximum === undefined || bound < maximum || (bound === maximum && exclusive)) {
    schema.maximum = bound;
    delete schema.exclusiveMaximum;
    if (exclusive) schema.exclusiveMaximum = true;
  }
  return exact;
}

/**
 * The API server cuts the fraction off a bound when the value is a whole number (kube-openapi
 * pkg/validation/validate/values.go, MinimumNativeType), so that `minimum: 0.5` accepts 0. CEL does not.
 */
function fractional(schema: StructuralSchema, bound: number, operator: '>=' | '<='): Outcome {
  if (schema.type === 'integer') {
    return operator === '>=' ? atLeast(schema, Math.ceil(bound), false) : atMost(schema, Math.floor(bound), false);
  }
  schema['x-kubernetes-validations'] = [
    ...(schema['x-kubernetes-validations'] ?? []),
    {
      rule: `self ${operator} ${bound}`,
      message: `must be ${operator === '>=' ? 'at least' : 'at most'} ${bound}`,
    },
  ];
  return exact;
}

function leastCommonMultiple(left: number, right: number): number {
  let [a, b] = [left, right];
  while (b !== 0) [a, b] = [b, a % b];
  return (left / a) * right;
}
