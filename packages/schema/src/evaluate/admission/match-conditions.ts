import { CostBudget } from '../cel/program.ts';
import { CelError } from '../cel/value/fault.ts';
import type { AdmissionActivation } from './admission-activation.ts';
import type { AdmissionCompiler, AdmissionExpression } from './admission-compiler.ts';

/** The cost budget of all match conditions of one webhook or policy for one request (`RuntimeCELCostBudgetMatchConditions`). */
const budgetMax = 2_500_000;

/** Whether a request meets match conditions. `failure` says why they could not be evaluated; none of them was false. */
export type Match = boolean | { readonly failure: string };

/**
 * The compiled match conditions of a webhook or a policy. They can be kept as long as it does not change.
 *
 * Source: `matcher.Match` of apiserver `pkg/admission/plugin/webhook/matchconditions`.
 */
export class MatchConditions {
  readonly #conditions: readonly AdmissionExpression[];

  constructor(
    compiler: AdmissionCompiler,
    conditions: readonly { readonly expression?: string }[],
    variables: { readonly params?: boolean } = {},
  ) {
    this.#conditions = conditions.map(({ expression = '' }) =>
      compiler.compile(expression, 'condition', { ...variables, authorizer: true }),
    );
  }

  get none(): boolean {
    return this.#conditions.length === 0;
  }

  match(activation: AdmissionActivation): Match {
    const budget = new CostBudget(budgetMax);
    const errors = new Set<string>();
    let isFalse = false;
    // All are evaluated, because those after a false one can use up the budget.
    for (const condition of this.#conditions) {
      try {
        if (activation.evaluate(condition, budget) !== true) isFalse = true;
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        if (error.reason === 'budget') return { failure: error.message };
        errors.add(error.message);
      }
    }
    if (isFalse) return false;
    if (errors.size === 0) return true;
    const [only = '', ...others] = errors;
    return { failure: others.length === 0 ? only : `[${[...errors].join(', ')}]` };
  }
}
