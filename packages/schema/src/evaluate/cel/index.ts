export { perCallCostLimit, runtimeCostBudget } from './cost.ts';
export { DeclaredType, declTypeOf } from './declared-type.ts';
export { CelError, type CelErrorReason } from './fault.ts';
export { escapeFieldName } from './field-name.ts';
export {
  CelProgram,
  type CompilationFailure,
  type CompilationResult,
  CostBudget,
  compileExpression,
  type VariableType,
} from './program.ts';
export { CompiledRule, compileRule, type RuleInput, type RuleOptions } from './rule.ts';
export type { ExpressionSchema } from './schema-type.ts';
export type { CelIssue } from './source.ts';
export type { CelType } from './type.ts';
export type { CelValue } from './value.ts';
