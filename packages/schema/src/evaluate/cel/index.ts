/**
 * The Common Expression Language as Kubernetes 1.36 speaks it: the rules of `x-kubernetes-validations` are compiled
 * against a structural schema and evaluated in process, with the API server's verdicts, messages and costs.
 *
 * Why no library does this: docs/decisions/cel.md. What is supported, and what it costs, is stated row by row in
 * `conformance/`. Not supported: messages such as `google.protobuf.Duration{}` and the authorizer, which rules of custom
 * resources cannot use.
 *
 * Expressions, schemas and data may come from anyone: nothing is evaluated as JavaScript, regular expressions do not
 * backtrack, and time and memory of every call are bounded.
 */

export { maxCardinality, minSerializedSize, saturate } from './cost/estimate-size.ts';
export { CostBudget, outOfBudget } from './program.ts';
export { CompiledRule, compileRule } from './rule.ts';
export { DeclaredType } from './value/declared-type.ts';
export { CelError } from './value/fault.ts';
