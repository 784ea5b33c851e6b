import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { TextValidation } from '../../regular-expression/expression-validations.ts';
import { literalPattern } from '../../regular-expression/translate-expression.ts';
import { addValidation, type ConstraintRule, exact, looser, notExpressible, type Outcome } from '../rule/constraint.ts';

/** The translation of a string decorator with its parameters: an exact RE2 pattern, or validations with an outcome. */
export type TextMeaning =
  | string
  | { readonly all?: readonly TextValidation[]; readonly outcome: Outcome | readonly Outcome[] };

/** A rule for strings that depends on the decorator's parameters. */
export function textRule(
  meaning: (parameters: readonly unknown[]) => TextMeaning,
  usual: Outcome = exact,
): ConstraintRule {
  return {
    ...usual,
    implies: () => 'string',
    apply: (schema, parameters) => {
      const meant = meaning(parameters);
      if (typeof meant === 'string') {
        addValidation(schema, { pattern: meant });
        return exact;
      }
      addAll(schema, meant.all ?? []);
      return meant.outcome;
    },
  };
}

/** A rule that is exactly an RE2 pattern. */
export function patternRule(pattern: string): ConstraintRule {
  return textRule(() => pattern);
}

/** A rule of which a pattern checks only the format. */
export function shapeRule(pattern: string, reason: string): ConstraintRule {
  return textRule(() => ({ all: [{ pattern }], outcome: looser(reason) }), looser(reason));
}

/** A rule of which a schema can express only the type. */
export function unsaidRule(reason: string): ConstraintRule {
  return { ...notExpressible(reason), implies: () => 'string' };
}

function addAll(schema: StructuralSchema, validations: readonly TextValidation[]): void {
  for (const { pattern, not } of validations) {
    if (pattern !== undefined) addValidation(schema, { pattern });
    if (not !== undefined) addValidation(schema, { not });
  }
}

/** The translation of a decorator that accepts no value, or fails, with its parameters. */
export function unsaid(reason: string): TextMeaning {
  return { outcome: notExpressible(reason) };
}

/** The options of a decorator; empty if it has none. */
export function optionsOf(parameters: readonly unknown[], at = 0): Readonly<Record<string, unknown>> {
  const options = parameters[at];
  return typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : {};
}

/** A pattern for an ASCII word in any case. */
export function anyCase(word: string): string {
  return [...word]
    .map((one) => (/[a-zA-Z]/.test(one) ? `[${one.toLowerCase()}${one.toUpperCase()}]` : literalPattern(one)))
    .join('');
}
