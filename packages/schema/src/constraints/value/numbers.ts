import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { ConstraintRule, ConstraintRules, Outcome } from '../rule/constraint.ts';
import { addValidation, exact, looser, neverAccepted, stricter } from '../rule/constraint.ts';

const number = () => 'number' as const;
const integer = () => 'integer' as const;

const beyondSafe = 'JavaScript cannot represent integers beyond 2^53 - 1 exactly; set bounds with @Min() and @Max()';

/** Decorators that limit a number. */
export const numberRules: ConstraintRules = {
  isInt: { grade: 'stricter', reason: beyondSafe, implies: integer, settle: withinSafe },
  isNumber: {
    grade: 'exact',
    implies: number,
    apply: (schema, [options]) => {
      const { maxDecimalPlaces } = (options ?? {}) as { maxDecimalPlaces?: number };
      if (maxDecimalPlaces === undefined || schema.type === 'integer') return exact;
      return looser(
        'a schema has no counterpart of maxDecimalPlaces: multipleOf does not work for fractions (0.3 is not a multiple of 0.1)',
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
      if (whole === undefined)
        return neverAccepted(`the validator accepts no number as divisible by ${String(divisor)}`);
      const common = schema.multipleOf === undefined ? whole : leastCommonMultiple(schema.multipleOf, whole);
      if (Number.isSafeInteger(common)) schema.multipleOf = common;
      else addValidation(schema, { multipleOf: whole });
      return exact;
    },
    settle: (schema, [divisor]) => (wholeDivisor(divisor) === undefined ? exact : withinSafe(schema)),
  },
};

/** The grade of integers: exact if bounds or listed values allow only integers that JavaScript can represent. */
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

/** Sets a bound of a number, unless there is a tighter one. */
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
  // For integer values the API server truncates the bound (kube-openapi pkg/validation/validate/values.go,
  // MinimumNativeType), so `minimum: 0.5` accepts 0.
  const whole = Math.trunc(to);
  if (isMinimum ? whole < to : whole > to) addValidation(schema, { not: { minimum: whole, maximum: whole } });
  return exact;
}

/** The divisor as the validator reads it; its sign has no effect. */
function wholeDivisor(divisor: unknown): number | undefined {
  const whole = typeof divisor === 'number' ? Math.abs(Number.parseInt(String(divisor), 10)) : 0;
  return whole > 0 ? whole : undefined;
}

function leastCommonMultiple(left: number, right: number): number {
  let [a, b] = [left, right];
  while (b !== 0) [a, b] = [b, a % b];
  return (left / a) * right;
}
