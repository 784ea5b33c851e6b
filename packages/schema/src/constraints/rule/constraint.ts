import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { StructuralSchema } from '../../evaluate/structural-schema.ts';

/**
 * How a schema compares with a decorator: it accepts the same values (`exact`), more of them (`looser`: a validator in
 * the operator checks the rest), fewer (`stricter`, because JSON requires it), or does not contain it (`not-expressible`).
 */
export type Grade = 'exact' | 'looser' | 'stricter' | 'not-expressible';

/** A grade and, unless it is `exact`, the reason. */
export interface Outcome {
  readonly grade: Grade;
  readonly reason?: string;
  /** The decorator must be changed: the generation fails with an error of this code. */
  readonly mistake?: 'impossible-constraint' | 'untranslatable-expression';
  /** The keyword of another decorator that this one contradicts. */
  readonly against?: keyof StructuralSchema;
  /** The outcome applies only to values that users write. The operator's values come from JavaScript. */
  readonly ofUsersAlone?: boolean;
}

/** The type of value that a decorator accepts; it rejects all others. */
export type ImpliedType = 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';

/** The translation of one class-validator decorator into a schema. */
export interface ConstraintRule {
  /** The decorator's exported name if it is not the capitalised name of the rule: `IsIP`. */
  readonly decorator?: string;
  /** The usual grade. */
  readonly grade: Grade;
  /** The reason why it is not exact, as the second half of a sentence after the decorator's name. */
  readonly reason?: string;
  /** The type that it requires, if any. */
  implies?(parameters: readonly unknown[]): ImpliedType | undefined;
  /** Whether it accepts a missing value. */
  readonly acceptsMissing?: boolean;
  /**
   * Writes the constraint into the schema of the value, whose type is set already. Returns an outcome only if it differs
   * from the rule's; several if one half of it is looser and the other stricter.
   */
  apply?(
    schema: StructuralSchema,
    parameters: readonly unknown[],
    validator: ValidatorInstance,
  ): Outcome | readonly Outcome[] | undefined;
  /** Determines the outcome after all decorators of the property are in the schema. */
  settle?(schema: StructuralSchema, parameters: readonly unknown[]): Outcome | readonly Outcome[];
}

/** The validator of one decorator of a property, for facts that are not in its parameters. */
export interface ValidatorInstance {
  accepts?(value: unknown): boolean;
}

/** Rules by the name of the decorator in class-validator's metadata. */
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

/** A decorator that accepts no value, alone or together with the one that wrote the keyword `against`. */
export function neverAccepted(reason: string, against?: keyof StructuralSchema): Outcome {
  return {
    ...notExpressible(
      `${reason}, so no value is accepted; change or remove ${against === undefined ? 'it' : 'one of them'}`,
    ),
    mistake: 'impossible-constraint',
    ...(against === undefined ? {} : { against }),
  };
}

/** The inexact outcomes of two halves, or `exact` if both are. */
export function both(...outcomes: readonly Outcome[]): readonly Outcome[] {
  const inexact = outcomes.filter(({ grade }) => grade !== 'exact');
  return inexact.length === 0 ? [exact] : inexact;
}

/** Adds value validations to a schema that may have some already; all of them must be satisfied. */
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

/** Adds a CEL rule for a check that the keywords of a schema cannot express. */
export function addRule(schema: StructuralSchema, rule: string, message: string): void {
  schema['x-kubernetes-validations'] = [...(schema['x-kubernetes-validations'] ?? []), { rule, message }];
}

/** Raises a lower bound or lowers an upper bound; never loosens it. */
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

/** Whether a scalar fits a schema's type; the schema does not need to mention others. */
export function fitsType(schema: StructuralSchema, value: Scalar): boolean {
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'string' || Number.isInteger(value);
  if (schema.type === 'integer') return Number.isInteger(value);
  return schema.type === undefined || schema.type === typeof value;
}

/** A scalar as a CEL literal. In a floating-point field, an integer needs a decimal point. */
export function celLiteral(value: Scalar, type: string | undefined): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  return type === 'number' && Number.isInteger(value) && Math.abs(value) < 1e21 ? `${value}.0` : `${value}`;
}

/** The common type of all scalars of a list. */
export function commonType(values: readonly unknown[]): ImpliedType | undefined {
  if (values.length === 0) return undefined;
  if (values.every((value) => typeof value === 'string')) return 'string';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  if (values.every((value) => Number.isInteger(value))) return 'integer';
  if (values.every((value) => typeof value === 'number')) return 'number';
  return undefined;
}
