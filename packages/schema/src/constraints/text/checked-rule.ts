import { addRule, addValidation, type ConstraintRule, exact, tighten } from '../rule/constraint.ts';

/** The format of a string with a check digit, and the computation of the digit. */
export interface CheckedText {
  /** A pattern without `^` and `$`. */
  readonly shape: string;
  readonly maxLength: number;
  /** A CEL list of the values that the digits add, for a string of the right format. */
  readonly sum: string;
  /** The divisor of the sum. */
  readonly modulus: number;
}

/** A rule for a short string with a check digit, which CEL computes if the format is right. */
export function checkedRule(choose: (parameters: readonly unknown[]) => CheckedText): ConstraintRule {
  return {
    grade: 'exact',
    implies: () => 'string',
    apply: (schema, parameters) => {
      const { shape, maxLength, sum, modulus } = choose(parameters);
      const pattern = `^(?:${shape})$`;
      addValidation(schema, { pattern });
      tighten(schema, 'maxLength', maxLength);
      addRule(
        schema,
        `!self.matches('${pattern}') || ${sum}.sum() % ${modulus} == 0`,
        'must have the right check digit',
      );
      return exact;
    },
  };
}

/** The indexes of the characters of a string, as a CEL list. */
export function places(count: number): string {
  return `[${Array.from({ length: count }, (_unused, at) => at).join(', ')}]`;
}
