import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ConstraintUse, conditional, decoratorName } from './constraint-metadata.ts';
import { constraintRule } from './constraint-table.ts';
import { KeywordOrigins } from './contradictions.ts';
import { type ConstraintRule, notExpressible, type Outcome } from './rule/constraint.ts';
import { userValidator } from './value/custom.ts';

/** Is called with a decorator that the schema does not express exactly, and with the other decorator that it contradicts. */
export type ReportInexact = (use: ConstraintUse, outcome: Outcome, other?: string) => void;

/**
 * Writes the decorators of a property into its schema, whose type is set already. Every decorator is either exactly in the
 * schema or reported.
 */
export function applyConstraints(
  uses: readonly ConstraintUse[],
  schema: StructuralSchema,
  report: ReportInexact,
  origins = new KeywordOrigins(),
): void {
  const condition = uses.find((use) => use.name === conditional);
  if (condition !== undefined) {
    report(condition, constraintRule(conditional) ?? notExpressible('its function cannot be translated'));
    return;
  }
  const reportAll = (use: ConstraintUse, target: StructuralSchema, outcomes: Outcome | readonly Outcome[]) => {
    for (const outcome of 'grade' in outcomes ? [outcomes] : outcomes) {
      const { against } = outcome;
      if (outcome.grade !== 'exact') report(use, outcome, against && origins.of(target, against));
    }
  };
  const settled: (() => void)[] = [];
  for (const use of uses) {
    const found = targetOf(use, schema);
    if ('grade' in found) {
      report(use, found);
      continue;
    }
    const { rule, target } = found;
    if (!origins.has(target)) origins.note(target);
    reportAll(use, target, rule.apply?.(target, use.parameters, use) ?? (rule.settle === undefined ? rule : []));
    origins.note(target, decoratorName(use));
    settled.push(() => reportAll(use, target, rule.settle?.(target, use.parameters) ?? []));
  }
  for (const settle of settled) settle();
}

/** The rule of a decorator and the schema that it applies to. */
function targetOf(
  use: ConstraintUse,
  schema: StructuralSchema,
): { readonly rule: ConstraintRule; readonly target: StructuralSchema } | Outcome {
  const rule = use.name === undefined ? undefined : constraintRule(use.name);
  if (rule === undefined) return userValidator;
  if (use.isConditional) return notExpressible('its validateIf cannot be translated');
  if (!use.each) return { rule, target: schema };
  const elements = elementsOf(schema);
  return elements === undefined
    ? notExpressible('"each" applies to elements, but the property has none')
    : { rule, target: elements };
}

/** The schema of the items of a list, or of the values of a map. */
export function elementsOf(schema: StructuralSchema): StructuralSchema | undefined {
  if (schema.items !== undefined) return schema.items;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
