import type { RuleOptions } from '../declarations/rule-declaration.ts';
import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * A CEL rule that the API server holds each object against: `self` is the object of the class, or the value of the
 * property; `oldSelf` is what it was, in rules of updates. Its properties are named as in CEL: `self.x__dash__y` for
 * `x-y`. Guard those that may be missing with `has(self.x)`. Repeat it. It is compiled, and its cost estimated, when the
 * CRD is made. Rules of a base class hold too.
 */
export function Rule(rule: string, options: RuleOptions = {}): SchemaDecorator {
  return declareEither({ ...options, says: 'rule', rule });
}
