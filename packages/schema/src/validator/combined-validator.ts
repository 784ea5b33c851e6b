import type { KindClass, KubernetesObject, ObjectValidator, RuleEvaluator, ValidationFinding } from '@evenkeel/core';

/**
 * Combines several validators. All run in order, and duplicate findings are reported once. `prepare` is called on each. An
 * error of one validator is thrown.
 */
export function combineValidators(...validators: readonly ObjectValidator[]): ObjectValidator {
  return new CombinedValidator(validators);
}

class CombinedValidator implements ObjectValidator {
  readonly #validators: readonly ObjectValidator[];

  constructor(validators: readonly ObjectValidator[]) {
    this.#validators = validators;
  }

  prepare(kind: KindClass): void {
    for (const validator of this.#validators) validator.prepare?.(kind);
  }

  validate(object: KubernetesObject): readonly ValidationFinding[] {
    const findings = new Map<string, ValidationFinding>();
    for (const validator of this.#validators) {
      for (const finding of validator.validate(object)) {
        const identity = JSON.stringify([finding.path, finding.message]);
        if (!findings.has(identity)) findings.set(identity, finding);
      }
    }
    return [...findings.values()];
  }

  async ruleEvaluator(): Promise<RuleEvaluator> {
    const own = this.#validators.find(({ ruleEvaluator }) => ruleEvaluator !== undefined);
    return (await own?.ruleEvaluator?.()) ?? (await import('../evaluate/admission/rule-evaluator.ts')).ruleEvaluator;
  }
}
