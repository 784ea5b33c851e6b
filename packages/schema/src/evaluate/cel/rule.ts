import { type CelProgram, type CompilationFailure, type CostBudget, compileExpression } from './program.ts';
import type { DeclaredType } from './value/declared-type.ts';
import { CelError, EvaluationFault } from './value/fault.ts';
import { optionalType } from './value/type.ts';
import { CelOptional, type CelValue } from './value/value.ts';

/** The inputs for compiling a rule of `x-kubernetes-validations`. */
export interface RuleOptions {
  readonly expression: string;
  /** The type of the schema that has the rule. */
  readonly declared: DeclaredType;
  /** `optionalOldSelf` of the rule: `oldSelf` is then an optional value. Default: false. */
  readonly optionalOldSelf?: boolean;
  /** The type of the result: `bool` for a rule, `string` for a message expression. Default: `bool`. */
  readonly result?: 'bool' | 'string';
}

/** The data of one evaluation: JSON that has passed schema validation. It is read, never copied or changed. */
export interface RuleInput {
  readonly self: unknown;
  /** Undefined if there is no old object. */
  readonly oldSelf?: unknown;
}

/**
 * A compiled rule or message expression. It may be kept and shared as long as its schema does not change. Evaluation changes
 * only the budget.
 */
export class CompiledRule {
  /** Whether the rule compares with the old value. Such rules do not run without an old value, unless it is optional. */
  readonly usesOldSelf: boolean;
  readonly #program: CelProgram;
  readonly #declared: DeclaredType;
  readonly #optionalOldSelf: boolean;

  constructor(program: CelProgram, declared: DeclaredType, usesOldSelf: boolean, optionalOldSelf: boolean) {
    this.#program = program;
    this.#declared = declared;
    this.usesOldSelf = usesOldSelf;
    this.#optionalOldSelf = optionalOldSelf;
  }

  get expression(): string {
    return this.#program.expression;
  }

  /** The maximal cost of one evaluation for the largest data that the schema allows; see CelProgram.estimateCost. */
  estimateCost(): number {
    return this.#program.estimateCost(this.#declared);
  }

  /**
   * Evaluates the rule. The result is a boolean, or a string for a message expression. Throws CelError as
   * CelProgram.evaluate does, and with the reason `evaluation` if the data does not satisfy the schema.
   */
  evaluate(input: RuleInput, budget: CostBudget): CelValue {
    const self = this.#value(input.self);
    const variables: Record<string, CelValue> = { self };
    if (this.usesOldSelf) {
      const old = input.oldSelf === undefined ? undefined : this.#value(input.oldSelf);
      if (this.#optionalOldSelf) variables['oldSelf'] = old === undefined ? CelOptional.none : CelOptional.of(old);
      else variables['oldSelf'] = old ?? null;
    }
    return this.#program.evaluate(variables, budget);
  }

  #value(json: unknown): CelValue {
    try {
      return this.#declared.fromJson(json);
    } catch (error) {
      if (error instanceof EvaluationFault) throw new CelError(error.message, 'evaluation');
      throw error;
    }
  }
}

/**
 * Compiles a rule, or returns the reason why the API server would reject it.
 *
 * The failure's message is the API server's message for the `rule` field. A rule cannot be compiled for a schema that
 * expressions cannot see, such as one without a type.
 */
export function compileRule(options: RuleOptions): CompiledRule | CompilationFailure {
  const { expression, declared, optionalOldSelf = false, result = 'bool' } = options;
  if (declared.kind === 'preserved') {
    return { message: 'failed to convert to declType for CEL validation rules', issues: [] };
  }
  const self = declared.celType;
  const compiled = compileExpression(expression, {
    self,
    oldSelf: optionalOldSelf ? optionalType(self) : self,
  });
  if ('failure' in compiled) return compiled.failure;
  const { program, usedVariables } = compiled;
  if (program.resultType.kind !== result) {
    const message =
      result === 'bool' ? 'cel expression must evaluate to a bool' : 'messageExpression must evaluate to a string';
    return { message, issues: [] };
  }
  return new CompiledRule(program, declared, usedVariables.has('oldSelf'), optionalOldSelf);
}
