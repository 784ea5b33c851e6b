import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import type { TextValidation } from '../../regular-expression/expression-validations.ts';
import { literalPattern } from '../../regular-expression/translate-expression.ts';
import { addValidation, type ConstraintRule, exact, looser, notExpressible, type Outcome } from '../rule/constraint.ts';

/** What a decorator of texts with certain parameters comes to: a pattern in RE2's language that says it exactly, or more. */
export type TextMeaning =
  | string
  | { readonly all?: readonly TextValidation[]; readonly outcome: Outcome | readonly Outcome[] };

/** A rule about texts whose meaning depends on what the decorator was given. */
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

/** A rule that accepts exactly what a pattern in RE2's language does. */
export function patternRule(pattern: string): ConstraintRule {
  return textRule(() => pattern);
}

/** A rule of which only the shape of the text is a pattern. */
export function shapeRule(pattern: string, reason: string): ConstraintRule {
  return textRule(() => ({ all: [{ pattern }], outcome: looser(reason) }), looser(reason));
}

/** A rule of which a schema can say nothing but the type. */
export function unsaidRule(reason: string): ConstraintRule {
  return { ...notExpressible(reason), implies: () => 'string' };
}

function addAll(schema: StructuralSchema, validations: readonly TextValidation[]): void {
  for (const { pattern, not } of validations) {
    if (pattern !== undefined) addValidation(schema, { pattern });
    if (not !== undefined) addValidation(schema, { not });
  }
}

/** What a decorator comes to whose parameters make it accept nothing, or fail. */
export function unsaid(reason: string): TextMeaning {
  return { outcome: notExpressible(reason) };
}

/** The options of a decorator, which it may have been used without. */
export function optionsOf(parameters: readonly unknown[], at = 0): Readonly<Record<string, unknown>> {
  const options = parameters[at];
  return typeof options === 'object' && options !== null ? (options as Record<string, unknown>) : {};
}

/** A word of ASCII in capitals, small letters or both. */
export function anyCase(word: string): string {
  return [...word]
    .map((one) => (/[a-zA-Z]/.test(one) ? `[${one.toLowerCase()}${one.toUpperCase()}]` : literalPattern(one)))
    .join('');
}
