import type { MutatingAdmissionPolicy } from '@evenkeel/kinds';
import type { AdmissionCompiler, AdmissionExpression, AdmissionInput, PatchOperation } from '@evenkeel/schema/evaluate';
import type { JsonObject } from '../../apimachinery/index.ts';
import type { Evaluator } from '../evaluator.ts';
import { type Match, MatchConditions } from '../match-conditions.ts';
import { PolicyConfigurationError } from './policy-configuration-error.ts';
import type { PolicySpec } from './policy-hooks.ts';

type Spec = PolicySpec<MutatingAdmissionPolicy>;

/** What a mutation does to an object. */
export type Patch = { readonly operations: readonly PatchOperation[] } | { readonly configuration: JsonObject };

interface CompiledMutation {
  readonly expression: AdmissionExpression;
  readonly isJsonPatch: boolean;
}

/**
 * A compiled MutatingAdmissionPolicy. It may be kept as long as its spec does not change.
 *
 * Source: `compilePolicy` of apiserver `pkg/admission/plugin/policy/mutating/compilation.go`.
 */
export class MutatingPolicy {
  readonly mutations: readonly CompiledMutation[];
  readonly #evaluator: Evaluator;
  readonly #compiler: AdmissionCompiler;
  readonly #conditions: MatchConditions;

  constructor(evaluator: Evaluator, spec: Spec) {
    const declared = { params: spec.paramKind !== undefined, authorizer: true };
    const compiler = new evaluator.AdmissionCompiler({ composes: true });
    for (const { name, expression } of spec.variables ?? []) compiler.addVariable(name, expression, declared);
    this.#evaluator = evaluator;
    this.#compiler = compiler;
    this.#conditions = new MatchConditions(evaluator, compiler, spec.matchConditions ?? [], declared);
    this.mutations = (spec.mutations ?? []).map(({ patchType, jsonPatch, applyConfiguration }) => {
      const isJsonPatch = patchType === 'JSONPatch';
      const source = (isJsonPatch ? jsonPatch : applyConfiguration)?.expression ?? '';
      const result = isJsonPatch ? 'jsonPatch' : 'applyConfiguration';
      return { expression: compiler.compile(source, result, { ...declared, patchTypes: true }), isJsonPatch };
    });
  }

  matches(input: AdmissionInput): Match {
    if (this.#conditions.none) return true;
    // Upstream does not show the namespace to match conditions.
    return this.#conditions.match(this.#activation({ ...input, namespaceObject: null }));
  }

  /** Evaluates a mutation. Throws PolicyConfigurationError if that fails. */
  patch({ expression, isJsonPatch }: CompiledMutation, input: AdmissionInput): Patch {
    const { CelError, CostBudget, jsonPatchOf, appliedConfigurationOf } = this.#evaluator;
    try {
      const result = this.#activation(input).evaluate(expression, new CostBudget());
      return isJsonPatch ? { operations: jsonPatchOf(result) } : { configuration: appliedConfigurationOf(result) };
    } catch (error) {
      if (error instanceof CelError) throw new PolicyConfigurationError(error.message);
      throw error;
    }
  }

  #activation(input: AdmissionInput) {
    return new this.#evaluator.AdmissionActivation(input, this.#compiler.variables);
  }
}
