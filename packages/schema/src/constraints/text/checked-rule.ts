import { addRule, addValidation, type ConstraintRule, exact, tighten } from '../rule/constraint.ts';

/** What a text with a check digit looks like, and how the digit is computed. */
export interface CheckedText {
  /** A pattern without `^` and `$`. */
  readonly shape: string;
  readonly maxLength: number;
  /** A list in CEL of what the digits add, for a text of the shape. */
  readonly sum: string;
  /** Divides the sum. */
  readonly modulus: number;
}

/** A rule about a short text with a check digit, which CEL computes where the shape is right. */
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

/** The places of the characters of a text, as a list in CEL. */
export function places(count: number): string {
  return `[${Array.from({ length: count }, (_unused, at) => at).join(', ')}]`;
}
