import type { RuleOptions } from '../declarations/rule-declaration.ts';
import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * A CEL rule that the API server checks for each object. `self` is the object of the class, or the value of the property.
 * `oldSelf` is its previous value, in rules for updates. Property names are escaped as in CEL: `self.x__dash__y` for `x-y`.
 * Guard properties that may be missing with `has(self.x)`. Repeat it for more rules. The generator compiles the rule and
 * estimates its cost. Rules of a base class also apply.
 */
export function Rule(rule: string, options: RuleOptions = {}): SchemaDecorator {
  return declareEither({ ...options, says: 'rule', rule });
}
