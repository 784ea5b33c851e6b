import { validateLiterals } from './check/literal-check.ts';
import { checkTypes } from './check/type-check.ts';
import { perCallCostLimit, runtimeCostBudget } from './cost/cost.ts';
import { estimateCost } from './cost/estimate-cost.ts';
import { type CelEnvironment, kubernetesEnvironment } from './environment.ts';
import { type CompiledExpression, compile } from './plan/compile.ts';
import type { Expr } from './syntax/ast.ts';
import { namesIn } from './syntax/node-walk.ts';
import { parse } from './syntax/parser.ts';
import { type CelIssue, CelSource } from './syntax/source.ts';
import type { DeclaredType } from './value/declared-type.ts';
import { CostExceeded, withOwnVisits } from './value/evaluation-limit.ts';
import { CelError, EvaluationFault } from './value/fault.ts';
import { Frame } from './value/frame.ts';
import { type CelType, dynType, typeType } from './value/type.ts';
import type { CelValue } from './value/value.ts';

/** The API server's message if the rules of an object are too expensive. */
export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/**
 * The remaining budget of all expressions of one object. Create one for each validation of an object, and pass it to every
 * evaluation of that validation, in order. It starts at the API server's budget of 10,000,000.
 */
export class CostBudget {
  #remaining: number;

  constructor(limit: number = runtimeCostBudget) {
    this.#remaining = limit;
  }

  get remaining(): number {
    return this.#remaining;
  }

  /** Subtracts a cost. Returns false if less was left; then no more expressions should be evaluated. */
  spend(cost: number): boolean {
    this.#remaining -= cost;
    return this.#remaining >= 0;
  }
}

/** A parsed, checked and compiled expression. Evaluation does not change it, so it may be shared. */
export class CelProgram {
  readonly expression: string;
  readonly resultType: CelType;
  readonly #expr: Expr;
  readonly #compiled: CompiledExpression;
  readonly #variables: readonly string[];

  constructor(expression: string, expr: Expr, compiled: CompiledExpression, variables: readonly string[]) {
    this.expression = expression;
    this.resultType = expr.type ?? dynType;
    this.#expr = expr;
    this.#compiled = compiled;
    this.#variables = variables;
  }

  /**
   * The maximal cost of the expression for the largest data that `root`, the type of its variables, allows. The API server
   * rejects a rule if it is above 10,000,000. The result is at most 2^64, which means more than can be counted.
   */
  estimateCost(root: DeclaredType): number {
    return estimateCost(this.#expr, root);
  }

  /**
   * Evaluates the expression with the values of its variables; a missing variable is null.
   *
   * Throws CelError with the reason `evaluation` if the expression fails, `cost` if this call costs more than 1,000,000, and
   * `budget` if the budget is used up, whatever the result. The messages are those of the API server. These limits also
   * bound the time of a call.
   */
  evaluate(variables: Readonly<Record<string, CelValue>>, budget: CostBudget): CelValue {
    const slots = new Array<CelValue>(this.#compiled.slotCount).fill(null);
    for (let i = 0; i < this.#variables.length; i++) slots[i] = variables[this.#variables[i] ?? ''] ?? null;
    const frame = new Frame(slots, perCallCostLimit);
    let failure: unknown;
    let value: CelValue = null;
    try {
      value = withOwnVisits(() => this.#compiled.evaluate(frame));
    } catch (error) {
      failure = error;
    }
    if (!budget.spend(frame.spent)) {
      throw new CelError(outOfBudget, 'budget');
    }
    if (failure instanceof EvaluationFault) throw new CelError(failure.message, 'evaluation');
    // A RangeError means a string that is too long, or data that is too deep, for JavaScript.
    if (failure instanceof CostExceeded || failure instanceof RangeError) {
      throw new CelError('operation cancelled: actual cost limit exceeded', 'cost');
    }
    if (failure !== undefined) throw failure;
    return value;
  }
}

/** The reason why an expression is invalid: `message` is the API server's message, `issues` are the single errors. */
export interface CompilationFailure {
  readonly message: string;
  readonly issues: readonly CelIssue[];
}

/** A compiled expression, with the names of the variables it uses. */
export interface CompilationResult {
  readonly program: CelProgram;
  readonly usedVariables: ReadonlySet<string>;
}

/** A variable of an expression: the type of a schema, or any other CEL type. */
export type VariableType = DeclaredType | CelType;

/**
 * Compiles an expression that may use the given variables and an environment; default: all functions of Kubernetes 1.36.
 * Time and memory are bounded for any input: expressions have at most 100,000 code points and 250 levels.
 */
export function compileExpression(
  expression: string,
  variables: Readonly<Record<string, VariableType>>,
  environment: CelEnvironment = kubernetesEnvironment,
): CompilationResult | { readonly failure: CompilationFailure } {
  const source = new CelSource(expression);
  const parsed = parse(source);
  if ('issues' in parsed) return compilationFailed(source, parsed.issues);
  const { expr } = parsed;
  const declared = new Map<string, CelType>();
  for (const [name, { type }] of environment.types) declared.set(name, typeType(type));
  for (const [name, type] of Object.entries(variables)) declared.set(name, 'celType' in type ? type.celType : type);
  const issues = checkTypes(source, expr, { ...environment, variables: declared });
  if (issues.length > 0) return compilationFailed(source, issues);
  const literalIssues = validateLiterals(source, expr);
  if (literalIssues.length > 0) return compilationFailed(source, literalIssues);
  const names = Object.keys(variables);
  try {
    const compiled = compile(expr, names, environment.types);
    return { program: new CelProgram(expression, expr, compiled, names), usedVariables: namesIn(expr) };
  } catch (error) {
    if (!(error instanceof EvaluationFault)) throw error;
    const issue = { line: -1, column: -1, message: error.message };
    return { failure: { message: `program instantiation failed: ${error.message}`, issues: [issue] } };
  }
}

function compilationFailed(source: CelSource, issues: readonly CelIssue[]): { readonly failure: CompilationFailure } {
  return { failure: { message: `compilation failed: ${source.display(issues)}`, issues } };
}
