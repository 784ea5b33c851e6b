import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { type ConstraintUse, conditional } from '../model/constraint-metadata.ts';
import { type ConstraintRule, notExpressible, type Outcome } from './constraint.ts';
import { constraintRule } from './constraint-table.ts';
import { userValidator } from './custom.ts';

/** Hears of a decorator whose meaning the schema does not have exactly. */
export type ReportInexact = (use: ConstraintUse, outcome: Outcome) => void;

/**
 * Writes the decorators of a property into its schema, whose type is set already. Every decorator is either in the schema
 * exactly, or reported.
 */
export function applyConstraints(
  uses: readonly ConstraintUse[],
  schema: StructuralSchema,
  report: ReportInexact,
): void {
  const condition = uses.find((use) => use.name === conditional);
  if (condition !== undefined) {
    report(condition, constraintRule(conditional) ?? notExpressible('its function cannot be read'));
    return;
  }
  const reportAll = (use: ConstraintUse, outcomes: Outcome | readonly Outcome[]) => {
    for (const outcome of 'grade' in outcomes ? [outcomes] : outcomes) {
      if (outcome.grade !== 'exact') report(use, outcome);
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
    reportAll(use, rule.apply?.(target, use.parameters, use) ?? (rule.settle === undefined ? rule : []));
    settled.push(() => reportAll(use, rule.settle?.(target, use.parameters) ?? []));
  }
  for (const settle of settled) settle();
}

/** The rule of a decorator and the schema it is about. */
function targetOf(
  use: ConstraintUse,
  schema: StructuralSchema,
): { readonly rule: ConstraintRule; readonly target: StructuralSchema } | Outcome {
  const rule = use.name === undefined ? undefined : constraintRule(use.name);
  if (rule === undefined) return userValidator;
  if (use.isConditional) return notExpressible('its validateIf cannot be read');
  if (!use.each) return { rule, target: schema };
  const elements = elementsOf(schema);
  return elements === undefined
    ? notExpressible('"each" is about elements, and it has none')
    : { rule, target: elements };
}

function elementsOf(schema: StructuralSchema): StructuralSchema | undefined {
  if (schema.items !== undefined) return schema.items;
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
