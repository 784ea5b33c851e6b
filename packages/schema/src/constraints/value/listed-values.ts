import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { Outcome, Scalar } from '../rule/constraint.ts';
import {
  addRule,
  addValidation,
  celLiteral,
  exact,
  fitsType,
  isScalar,
  neverAccepted,
  notExpressible,
  stricter,
} from '../rule/constraint.ts';

const noReference =
  'it compares objects by identity, and objects from JSON are never identical (list strings or numbers)';

/**
 * Intersects the values allowed so far with the given ones. Objects are ignored, because objects from JSON are never
 * identical.
 */
export function restrictToValues(schema: StructuralSchema, values: readonly unknown[]): Outcome {
  const scalars = values.filter(isScalar);
  if (values.length === 0) return neverAccepted('it lists no values');
  if (scalars.length === 0) return values.every(isReference) ? neverAccepted(noReference) : notExpressible(noReference);
  const before = schema.enum;
  const left = scalars.filter((value) => fitsType(schema, value) && (before === undefined || before.includes(value)));
  if (left.length === 0) {
    const isListed = before !== undefined && scalars.some((value) => fitsType(schema, value));
    return isListed
      ? neverAccepted(`none of ${oneOf(scalars)} is in the list ${oneOf(before.filter(isScalar))}`, 'enum')
      : neverAccepted(`none of ${oneOf(scalars)} is of the type ${schema.type ?? 'integer or string'}`, 'type');
  }
  if (schema['x-kubernetes-int-or-string'] === true) addRule(schema, equalsOne(schema, left), `must be ${oneOf(left)}`);
  else {
    schema.enum = [...new Set(left)];
    if (schema.type === 'number' && left.some((value) => Number.isInteger(value))) {
      addValidation(schema, { anyOf: left.map(isExactly) });
    }
  }
  return values.includes(undefined) ? stricter('it accepts a missing value; add @IsOptional()') : exact;
}

function isReference(value: unknown): boolean {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Rejects some values. Objects are ignored, because objects from JSON are never identical. */
export function refuseValues(schema: StructuralSchema, values: readonly unknown[]): Outcome {
  const possible = values.filter(isScalar).filter((value) => fitsType(schema, value));
  if (possible.length === 0) return exact;
  if (schema['x-kubernetes-int-or-string'] === true) {
    addRule(schema, `!(${equalsOne(schema, possible)})`, `must not be ${oneOf(possible)}`);
  } else if (schema.type === 'number') addValidation(schema, { not: { anyOf: possible.map(isExactly) } });
  else addValidation(schema, { not: { enum: possible } });
  return exact;
}

/**
 * A schema for one value. An enum works only for fractions: the API server truncates a number before it compares it with
 * an integer (kube-openapi pkg/validation/validate/validator.go), so it would accept 1.5 for 1.
 */
function isExactly(value: Scalar): StructuralSchema {
  return typeof value === 'number' && Number.isInteger(value) ? { minimum: value, maximum: value } : { enum: [value] };
}

/** Comparisons instead of a list, because a CEL list has elements of one type. */
function equalsOne(schema: StructuralSchema, values: readonly Scalar[]): string {
  return values.map((value) => `self == ${celLiteral(value, schema.type)}`).join(' || ');
}

function oneOf(values: readonly Scalar[]): string {
  return values.map((value) => JSON.stringify(value)).join(', ');
}
