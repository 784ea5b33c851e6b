import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from '../rule/constraint.ts';
import { addValidation, exact, looser, neverAccepted, stricter } from '../rule/constraint.ts';

const number = () => 'number' as const;
const integer = () => 'integer' as const;

const beyondSafe = 'JavaScript cannot hold whole numbers beyond 2^53 - 1; bound it with @Min() and @Max()';

/** Decorators that bound a number. */
export const numberRules: ConstraintRules = {
  isInt: { grade: 'stricter', reason: beyondSafe, implies: integer, settle: withinSafe },
  isNumber: {
    grade: 'exact',
    implies: number,
    apply: (schema, [options]) => {
      const { maxDecimalPlaces } = (options ?? {}) as { maxDecimalPlaces?: number };
      if (maxDecimalPlaces === undefined || schema.type === 'integer') return exact;
      return looser(
        'maxDecimalPlaces has no counterpart: multipleOf is wrong for fractions (0.3 is no multiple of 0.1)',
      );
    },
  },
  min: bound('minimum'),
  max: bound('maximum'),
  isPositive: { grade: 'exact', implies: number, apply: (schema) => limit(schema, 'minimum', 0, true) },
  isNegative: { grade: 'exact', implies: number, apply: (schema) => limit(schema, 'maximum', 0, true) },
  isDivisibleBy: {
    grade: 'stricter',
    reason: beyondSafe,
    implies: integer,
    apply: (schema, [divisor]) => {
      const whole = wholeDivisor(divisor);
      if (whole === undefined) return neverAccepted(`nothing is divisible by ${String(divisor)}`);
      const common = schema.multipleOf === undefined ? whole : leastCommonMultiple(schema.multipleOf, whole);
      if (Number.isSafeInteger(common)) schema.multipleOf = common;
      else addValidation(schema, { multipleOf: whole });
      return exact;
    },
    settle: (schema, [divisor]) => (wholeDivisor(divisor) === undefined ? exact : withinSafe(schema)),
  },
};

/** Whole numbers are exact where the bounds leave only those that JavaScript holds, or values are listed. */
function withinSafe({ type, minimum, maximum, enum: values }: StructuralSchema): Outcome {
  const isBounded = Number.isSafeInteger(minimum) && Number.isSafeInteger(maximum);
  return type !== 'integer' || isBounded || values !== undefined
    ? exact
    : { ...stricter(beyondSafe), ofUsersAlone: true };
}

function bound(key: 'minimum' | 'maximum'): ConstraintRule {
  return {
    grade: 'exact',
    implies: number,
    apply: (schema, [limitOf]) => {
      if (typeof limitOf !== 'number' || Number.isNaN(limitOf)) return neverAccepted('its bound is not a number');
      if (Number.isFinite(limitOf)) return limit(schema, key, limitOf, false);
      const isReached = key === 'minimum' ? limitOf < 0 : limitOf > 0;
      return isReached ? exact : neverAccepted(`no number reaches ${limitOf}`);
    },
  };
}

/** Bounds a number from one side, unless it is bounded more narrowly. */
export function limit(schema: StructuralSchema, key: 'minimum' | 'maximum', to: number, exclusive: boolean): Outcome {
  const isMinimum = key === 'minimum';
  if (schema.type === 'integer' && !Number.isInteger(to)) {
    return limit(schema, key, isMinimum ? Math.ceil(to) : Math.floor(to), false);
  }
  const exclusiveKey = isMinimum ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const current = schema[key];
  const isTighter = current === undefined || (isMinimum ? to > current : to < current);
  if (isTighter || (to === current && exclusive)) {
    schema[key] = to;
    delete schema[exclusiveKey];
    if (exclusive) schema[exclusiveKey] = true;
  }
  // The API server cuts the fraction off a bound when the value is a whole number (kube-openapi
  // pkg/validation/validate/values.go, MinimumNativeType), so that `minimum: 0.5` accepts 0.
  const whole = Math.trunc(to);
  if (isMinimum ? whole < to : whole > to) addValidation(schema, { not: { minimum: whole, maximum: whole } });
  return exact;
}

/** The validator's own reading of a divisor, whose sign makes no difference. */
function wholeDivisor(divisor: unknown): number | undefined {
  const whole = typeof divisor === 'number' ? Math.abs(Number.parseInt(String(divisor), 10)) : 0;
  return whole > 0 ? whole : undefined;
}

function leastCommonMultiple(left: number, right: number): number {
  let [a, b] = [left, right];
  while (b !== 0) [a, b] = [b, a % b];
  return (left / a) * right;
}
