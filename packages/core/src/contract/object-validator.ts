import type { KindClass } from '../kind/api-resource.ts';
import type { KubernetesObject } from '../object/kubernetes-object.ts';
import type { RuleEvaluator } from './rule-evaluator.ts';

/** A problem of a value, and its path. */
export interface ValidationFinding {
  /** The path in the API server's notation: `spec.ports[0].port`. */
  readonly path: string;
  readonly message: string;
}

/**
 * Checks objects for what a CRD cannot express. Implementations do no I/O, do not keep references to objects, and do not change
 * them: objects are shared with the cache and frozen. The same object must always get the same findings.
 */
export interface ObjectValidator {
  /**
   * Called once for each kind, before its first object. Throws if the validator cannot check that kind, so that a mistake is
   * reported at startup and not at the first object.
   */
  prepare?(kind: KindClass): void;

  /** Returns all problems of the object; an empty list if it is valid. */
  validate(object: KubernetesObject): readonly ValidationFinding[];

  /**
   * Loads the evaluator for the rules of webhooks that the operator serves. The validators of `@evenkeel/schema/validator` have it.
   * Called at the start, only if there are such rules. Default: the webhooks of the operator cannot have rules.
   */
  ruleEvaluator?(): Promise<RuleEvaluator>;
}
