import type { MutatingAdmissionPolicy } from '@evenkeel/kinds';
import type { JsonObject } from '../apimachinery.ts';
import { CostBudget } from '../cel/program.ts';
import { AdmissionActivation, type AdmissionInput } from './admission-activation.ts';
import type { AdmissionCompiler, AdmissionExpression } from './admission-compiler.ts';
import type { Match, MatchConditions } from './match-conditions.ts';
import { appliedConfigurationOf, jsonPatchOf, type PatchOperation } from './patch-result.ts';
import { policyCompiler } from './policy-compiler.ts';

type Spec = NonNullable<MutatingAdmissionPolicy['spec']>;

/** What a mutation does to an object. */
export type PolicyPatch = { readonly operations: readonly PatchOperation[] } | { readonly configuration: JsonObject };

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
  readonly #compiler: AdmissionCompiler;
  readonly #conditions: MatchConditions;

  constructor(spec: Spec) {
    const { compiler, conditions, declared } = policyCompiler(spec);
    this.#compiler = compiler;
    this.#conditions = conditions;
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

  /** Evaluates a mutation. Throws CelError with the API server's message if that fails. */
  patch({ expression, isJsonPatch }: CompiledMutation, input: AdmissionInput): PolicyPatch {
    const result = this.#activation(input).evaluate(expression, new CostBudget());
    return isJsonPatch ? { operations: jsonPatchOf(result) } : { configuration: appliedConfigurationOf(result) };
  }

  #activation(input: AdmissionInput) {
    return new AdmissionActivation(input, this.#compiler.variables);
  }
}
