import type { AnyClass } from '../declarations/class-reference.ts';
import type { AdmissionRuleOptions, RuleDeclaration, RuleOptions } from '../declarations/rule-declaration.ts';
import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * A CEL rule that the API server checks for each object. `self` is the object of the class, or the value of the property.
 * `oldSelf` is its previous value, in rules for updates. Property names are escaped as in CEL: `self.x__dash__y` for `x-y`.
 * Guard properties that may be missing with `has(self.x)`. Repeat it for more rules. The generator compiles the rule and
 * estimates its cost. Rules of a base class also apply.
 *
 * On a class with `@ValidatingWebhook`, it is a condition of each request: the API server rejects the request if it is false. It has
 * the variables of Kubernetes' admission policies: `object`, `oldObject`, `request`, `namespaceObject`, `params` with the option
 * `params`, and `variables`. See {@link WebhookOptions.policy}.
 */
export function Rule(rule: string, options?: RuleOptions): SchemaDecorator;
export function Rule(rule: string, options: AdmissionRuleOptions): (target: AnyClass) => void;
export function Rule(rule: string, options: RuleOptions | AdmissionRuleOptions = {}): SchemaDecorator {
  // The plan of a webhook and the schema of an API class check which options they have.
  return declareEither({ ...options, says: 'rule', rule } as RuleDeclaration);
}
