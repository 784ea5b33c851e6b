import type { ValidatingAdmissionPolicy } from '@evenkeel/kinds';
import { CostBudget } from '../cel/program.ts';
import { CelError } from '../cel/value/fault.ts';
import { AdmissionActivation, type AdmissionInput } from './admission-activation.ts';
import type { AdmissionCompiler, AdmissionExpression } from './admission-compiler.ts';
import type { MatchConditions } from './match-conditions.ts';
import { policyCompiler } from './policy-compiler.ts';

type Spec = NonNullable<ValidatingAdmissionPolicy['spec']>;
type Validation = NonNullable<Spec['validations']>[number];

/** Why a validation of a policy rejects a request. */
export interface Denial {
  readonly message: string;
  /** Undefined if an expression could not be evaluated. */
  readonly reason?: string;
}

/** The result of evaluating a policy with one parameter. */
export interface PolicyVerdict {
  /** Those that the actions of the binding decide about. */
  readonly denials: readonly Denial[];
  /** Audit annotations that failed, which reject the request whatever the actions are. */
  readonly failures: readonly Denial[];
}

interface CompiledValidation {
  readonly validation: Validation;
  readonly expression: AdmissionExpression;
  readonly message: AdmissionExpression | undefined;
}

const admitted: PolicyVerdict = { denials: [], failures: [] };
const messageBytesMax = 5 * 1024;

/**
 * A compiled ValidatingAdmissionPolicy. It may be kept as long as its spec does not change.
 *
 * Source: `validator.Validate` of apiserver `pkg/admission/plugin/policy/validating`.
 */
export class ValidatingPolicy {
  readonly #compiler: AdmissionCompiler;
  readonly #conditions: MatchConditions;
  readonly #validations: readonly CompiledValidation[];
  readonly #annotations: readonly AdmissionExpression[];
  readonly #ignoresFailures: boolean;

  constructor(spec: Spec) {
    const { compiler, conditions, declared } = policyCompiler(spec);
    this.#compiler = compiler;
    this.#conditions = conditions;
    this.#validations = (spec.validations ?? []).map((validation) => ({
      validation,
      expression: compiler.compile(validation.expression, 'condition', declared),
      message:
        (validation.messageExpression ?? '') === ''
          ? undefined
          : compiler.compile(validation.messageExpression ?? '', 'message', { ...declared, authorizer: false }),
    }));
    this.#annotations = (spec.auditAnnotations ?? []).map(({ valueExpression }) =>
      compiler.compile(valueExpression, 'auditAnnotation', declared),
    );
    this.#ignoresFailures = spec.failurePolicy === 'Ignore';
  }

  evaluate(input: AdmissionInput): PolicyVerdict {
    const match = this.#matches(input);
    if (match === false) return admitted;
    if (match !== true) return this.#failed(match.failure);
    try {
      const denials = this.#validate(input);
      return { denials, failures: this.#annotate(input) };
    } catch (error) {
      if (error instanceof CelError && error.reason === 'budget') return this.#failed(error.message);
      throw error;
    }
  }

  #matches(input: AdmissionInput): ReturnType<MatchConditions['match']> {
    if (this.#conditions.none) return true;
    // Upstream does not show the namespace to match conditions.
    return this.#conditions.match(this.#activation({ ...input, namespaceObject: null }));
  }

  #failed(message: string): PolicyVerdict {
    return this.#ignoresFailures ? admitted : { denials: [{ message }], failures: [] };
  }

  #activation(input: AdmissionInput) {
    return new AdmissionActivation(input, this.#compiler.variables);
  }

  /** Throws CelError with the reason `budget`. */
  #validate(input: AdmissionInput): Denial[] {
    const budget = new CostBudget();
    const activation = this.#activation(input);
    const results = this.#validations.map(({ expression }) =>
      this.#attempt(() => activation.evaluate(expression, budget)),
    );
    const { authorize: _, requestResource: __, ...withoutAuthorizer } = input;
    const forMessages = this.#activation(withoutAuthorizer);
    // All are evaluated, because their costs count even if no message is needed.
    const messages: (string | undefined)[] = [];
    let outOfBudget: string | undefined;
    for (const { message } of this.#validations) {
      if (message === undefined || outOfBudget !== undefined) {
        messages.push(undefined);
        continue;
      }
      try {
        const result = this.#attempt(() => forMessages.evaluate(message, budget));
        messages.push('failure' in result || typeof result.value !== 'string' ? undefined : result.value);
      } catch (error) {
        if (!(error instanceof CelError)) throw error;
        outOfBudget = error.message;
      }
    }
    return this.#validations.flatMap(({ validation }, index) => {
      const result = results[index];
      if (result !== undefined && 'failure' in result) return this.#failed(result.failure).denials;
      if (outOfBudget !== undefined) return this.#failed(`failed messageExpression: ${outOfBudget}`).denials;
      if (result?.value === true) return [];
      return [{ message: messageOf(validation, messages[index]), reason: validation.reason ?? 'Invalid' }];
    });
  }

  /** Evaluates audit annotations for their failures: the server has no audit log. */
  #annotate(input: AdmissionInput): Denial[] {
    if (this.#annotations.length === 0) return [];
    const budget = new CostBudget();
    const { authorize: _, requestResource: __, ...withoutAuthorizer } = input;
    const activation = this.#activation(withoutAuthorizer);
    const failures = this.#annotations.flatMap((annotation) => {
      const result = this.#attempt(() => activation.evaluate(annotation, budget));
      return 'failure' in result ? [{ message: result.failure }] : [];
    });
    return this.#ignoresFailures ? [] : failures;
  }

  /** The result or the message of a failure. Throws CelError with the reason `budget`. */
  #attempt<T>(evaluate: () => T): { readonly value: T } | { readonly failure: string } {
    try {
      return { value: evaluate() };
    } catch (error) {
      if (!(error instanceof CelError) || error.reason === 'budget') throw error;
      return { failure: error.message };
    }
  }
}

function messageOf({ message = '', expression }: Validation, computed = ''): string {
  const trimmed = computed.trim();
  const isUsable = trimmed !== '' && Buffer.byteLength(trimmed) <= messageBytesMax && !trimmed.includes('\n');
  if (isUsable) return trimmed;
  return message.trim() || `failed expression: ${expression.trim()}`;
}
