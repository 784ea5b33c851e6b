import type { AdmissionPolicy } from './admission-policy.ts';

/** The values of the variables of rules, as JSON. They are read, never kept or changed. */
export interface RuleInput {
  /** The new object; null for a deletion. */
  readonly object: unknown;
  /** The stored object; null for a creation. */
  readonly oldObject: unknown;
  /** The AdmissionRequest without its uid and objects. */
  readonly request: unknown;
  /** Null if the policy has no parameters. */
  readonly params: unknown;
  /** The namespace of the request; null if it has none. */
  readonly namespaceObject: unknown;
}

/** Why rules reject a request. */
export interface RuleDenial {
  readonly message: string;
  /** `Invalid`, `Forbidden` or `RequestEntityTooLarge`. Undefined if an expression could not be evaluated. */
  readonly reason?: string | undefined;
}

/** The compiled rules of a webhook. */
export interface CompiledRules {
  /**
   * Returns why the rules reject the request; undefined if they accept it. The policy's `failurePolicy` decides about expressions
   * that cannot be evaluated.
   */
  deny(input: RuleInput): RuleDenial | undefined;
  /** Returns the object with the mutations, or the reason why a mutation failed. It may share unchanged parts with the given object. */
  mutate(input: RuleInput): { readonly object: unknown } | { readonly denial: RuleDenial };
}

/** Evaluates the rules of webhooks in the process, as the API server evaluates policies. */
export interface RuleEvaluator {
  /**
   * Compiles the expressions of a policy.
   *
   * @returns the mistakes of the expressions, each with its fix, or the rules.
   */
  compile(policy: AdmissionPolicy): CompiledRules | { readonly mistakes: readonly string[] };
}
