import type { CompiledRules, RuleDenial, RuleEvaluator, RuleInput } from '@evenkeel/core';
import { fieldErrorText, type JsonObject } from '../apimachinery.ts';
import { constructedListIn } from '../cel/constructed-lists.ts';
import { CelError } from '../cel/value/fault.ts';
import { type AnyPolicy, admissionPolicyErrors, expressionWithAuthorizer } from './bound-policy.ts';
import { MutatingPolicy } from './mutating-policy.ts';
import { mergedWithoutSchema, patchedByOperations } from './patch-result.ts';
import { ValidatingPolicy } from './validating-policy.ts';

/**
 * Evaluates the rules of webhooks in the process. It decides as the API server decides for a policy, with the same messages, but
 * does not have the variable `authorizer`.
 */
export const ruleEvaluator: RuleEvaluator = {
  compile: (given) => {
    // The classes of kinds are not readonly.
    const policy = given as unknown as AnyPolicy;
    const errors = admissionPolicyErrors(policy);
    if (errors.length > 0) return { mistakes: errors.map(fieldErrorText) };
    const expression = expressionWithAuthorizer(policy);
    if (expression !== undefined) {
      const fix = 'set policy: true and a sufficient minServerVersion, or ask with the Client in a method with @Admit';
      return {
        mistakes: [`only the API server has the variable "authorizer" of ${JSON.stringify(expression)}; ${fix}`],
      };
    }
    const lists = listMistakes(policy);
    if (lists.length > 0) return { mistakes: lists };
    return policy.kind === 'MutatingAdmissionPolicy'
      ? new MutatingRules(new MutatingPolicy(policy.spec ?? {}), policy.spec?.failurePolicy === 'Ignore')
      : new ValidatingRules(new ValidatingPolicy(policy.spec ?? {}));
  },
};

/** Only the schema defines how lists are merged. Lists that appear only in the result of the evaluation are rejected there. */
function listMistakes({ spec = {} }: AnyPolicy): string[] {
  const mutations = 'mutations' in spec ? (spec.mutations ?? []) : [];
  return mutations.flatMap(({ applyConfiguration: { expression = '' } = {} }) => {
    const list = constructedListIn(expression);
    if (list === undefined) return [];
    return `only the API server can merge the list ${list} of @Mutation(${JSON.stringify(expression)}); write it with patchType: 'JSONPatch'`;
  });
}

class ValidatingRules implements CompiledRules {
  readonly #policy: ValidatingPolicy;

  constructor(policy: ValidatingPolicy) {
    this.#policy = policy;
  }

  deny(input: RuleInput): RuleDenial | undefined {
    return this.#policy.evaluate(input).denials[0];
  }

  mutate({ object }: RuleInput): { readonly object: unknown } {
    return { object };
  }
}

/** Source: `dispatchInvocations` of apiserver `pkg/admission/plugin/policy/mutating/dispatcher.go`. */
class MutatingRules implements CompiledRules {
  readonly #policy: MutatingPolicy;
  readonly #ignoresFailures: boolean;

  constructor(policy: MutatingPolicy, ignoresFailures: boolean) {
    this.#policy = policy;
    this.#ignoresFailures = ignoresFailures;
  }

  deny(): undefined {
    return undefined;
  }

  mutate(input: RuleInput): { readonly object: unknown } | { readonly denial: RuleDenial } {
    const failed = (message: string) => ({ denial: { message, reason: 'Invalid' } });
    const match = this.#policy.matches(input);
    if (typeof match === 'object' && !this.#ignoresFailures) return failed(match.failure);
    if (match !== true) return input;
    let object = input.object as JsonObject;
    for (const mutation of this.#policy.mutations) {
      try {
        const patch = this.#policy.patch(mutation, { ...input, object });
        object =
          'operations' in patch
            ? patchedByOperations(object, patch.operations)
            : mergedWithoutSchema(object, patch.configuration);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        if (!this.#ignoresFailures) return failed(error.message);
      }
    }
    return { object };
  }
}
