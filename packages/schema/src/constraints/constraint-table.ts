import { collectionRules } from './collections.ts';
import type { ConstraintRule } from './constraint.ts';
import { numberRules } from './numbers.ts';
import { presenceRules } from './presence.ts';
import { stringFormatRules } from './string-formats.ts';
import { stringRules } from './strings.ts';
import { valueRules } from './values.ts';

const rules: ReadonlyMap<string, ConstraintRule> = new Map(
  [presenceRules, valueRules, numberRules, stringRules, stringFormatRules, collectionRules].flatMap((group) =>
    Object.entries(group),
  ),
);

/** What a schema can say of a decorator, by the name in class-validator's metadata; undefined where nothing is known. */
export function constraintRule(name: string): ConstraintRule | undefined {
  return rules.get(name);
}

/** The names of all decorators that have a rule. */
export function constraintNames(): readonly string[] {
  return [...rules.keys()];
}
