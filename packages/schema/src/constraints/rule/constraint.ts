import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { StructuralSchema } from '../../evaluate/structural-schema.ts';

/**
 * How a schema compares with a decorator: it accepts the same values (`exact`), more of them (`looser`: a validator in
 * the operator does the rest), fewer (`stricter`, because the wire demands it), or says nothing (`not-expressible`).
 */
export type Grade = 'exact' | 'looser' | 'stricter' | 'not-expressible';

/** A grade and, unless it is `exact`, why. */
export interface Outcome {
  readonly grade: Grade;
  readonly reason?: string;
  /** It is to be written in another way: generation ends with an error of this code. */
  readonly mistake?: 'impossible-constraint' | 'untranslatable-expression';
  /** The keyword that another decorator wrote, with which this one leaves no value. */
  readonly against?: keyof StructuralSchema;
  /** It is so of what users write. What the operator writes was JavaScript's before it was sent. */
  readonly ofUsersAlone?: boolean;
}

/** The type of value a decorator passes; it refuses all others. */
export type ImpliedType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** What one decorator of class-validator means for a schema. */
export interface ConstraintRule {
  /** The decorator as class-validator exports it, where that is not the rule's own name with a capital: `IsIP`. */
  readonly decorator?: string;
  /** The grade with which it is usually expressed. */
  readonly grade: Grade;
  /** Says why it is not exact; a sentence's second half, after the decorator's name. */
  readonly reason?: string;
  /** The type that it demands, where it does. */
  implies?(parameters: readonly unknown[]): ImpliedType | undefined;
  /** A missing value passes it. */
  readonly acceptsMissing?: boolean;
  /**
   * Writes the constraint into the schema of the value, whose type is set already. Returns an outcome only where that is
   * not the rule's own; several where one half of it is looser and another stricter.
   */
  apply?(
    schema: StructuralSchema,
    parameters: readonly unknown[],
    validator: ValidatorInstance,
  ): Outcome | readonly Outcome[] | undefined;
  /** Judges the schema once all decorators of the property are in it. */
  settle?(schema: StructuralSchema, parameters: readonly unknown[]): Outcome | readonly Outcome[];
}

/** The validator behind one decorator of a property, for what its parameters do not tell. */
export interface ValidatorInstance {
  accepts?(value: unknown): boolean;
}

/** Rules by the name under which class-validator's metadata knows the decorator. */
export type ConstraintRules = Readonly<Record<string, ConstraintRule>>;

export const exact: Outcome = { grade: 'exact' };

export function stricter(reason: string): Outcome {
  return { grade: 'stricter', reason };
}

export function looser(reason: string): Outcome {
  return { grade: 'looser', reason };
}

export function notExpressible(reason: string): Outcome {
  return { grade: 'not-expressible', reason };
}

/** A decorator that passes no value, alone or with the one that wrote the keyword `against`. */
export function neverAccepted(reason: string, against?: keyof StructuralSchema): Outcome {
  return {
    ...notExpressible(
      `${reason}, so that no value is accepted; change or remove ${against === undefined ? 'it' : 'one of them'}`,
    ),
    mistake: 'impossible-constraint',
    ...(against === undefined ? {} : { against }),
  };
}

/** The grade of one half where the other is exact; both where neither is. */
export function both(...outcomes: readonly Outcome[]): readonly Outcome[] {
  const inexact = outcomes.filter(({ grade }) => grade !== 'exact');
  return inexact.length === 0 ? [exact] : inexact;
}

/** Adds value validations to a schema that may have some already; all of them hold. */
export function addValidation(
  schema: StructuralSchema,
  validation: Pick<StructuralSchema, 'pattern' | 'not' | 'anyOf' | 'multipleOf'>,
): void {
  const keys = Object.keys(validation) as (keyof typeof validation)[];
  if (keys.every((key) => schema[key] === undefined)) Object.assign(schema, validation);
  else if (keys.some((key) => !jsonEqual(schema[key], validation[key]))) {
    schema.allOf = [...(schema.allOf ?? []), validation];
  }
}

/** Adds a rule in CEL, for what the keywords of a schema cannot say. */
export function addRule(schema: StructuralSchema, rule: string, message: string): void {
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), { rule, message }];
}

/** Raises a lower bound, or lowers an upper one; never the reverse. */
export function tighten(
  schema: StructuralSchema,
  key: 'minLength' | 'minItems' | 'minProperties' | 'maxLength' | 'maxItems',
  bound: number,
): void {
  const current = schema[key];
  if (current === undefined) schema[key] = bound;
  else schema[key] = key.startsWith('min') ? Math.max(current, bound) : Math.min(current, bound);
}

export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

/** Whether a schema's type has room for a scalar; others it need not name. */
export function fitsType(schema: StructuralSchema, value: Scalar): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || Number.isInteger(value);
  if (schema.type === 'integer') return Number.isInteger(value);
  return schema.type === undefined || schema.type === typeof value;
}

/** A scalar in CEL, where a whole number of a floating-point field needs its point. */
export function celLiteral(value: Scalar, type: string | undefined): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  return type === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : `${value}`;
}

/** The one type that all scalars of a list have. */
export function commonType(values: readonly unknown[]): ImpliedType | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  return undefined;
}
