/**
 * The Common Expression Language as Kubernetes 1.36 speaks it: the rules of `x-kubernetes-validations` are compiled
 * against a structural schema and evaluated in process, with the API server's verdicts, messages and costs.
 *
 * It is our own because the libraries for JavaScript (@bufbuild/cel, @marcbachmann/cel-js) count no costs, do not check
 * types against a schema and have none of Kubernetes' functions; those three are most of the work, and without them a
 * rule that passes here may be refused or cut short by a cluster. What is supported, and what it costs, is stated row
 * by row in `conformance/`. Not supported: messages such as `google.protobuf.Duration{}` and the authorizer, which
 * rules of custom resources have no use for.
 *
 * Expressions, schemas and data may come from anyone: nothing is evaluated as JavaScript, regular expressions do not
 * backtrack, and time and memory of every call are bounded.
 */

export { maxCardinality, minSerializedSize, saturate } from './cost/estimate-size.ts';
export { CostBudget, outOfBudget } from './program.ts';
export { CompiledRule, compileRule } from './rule.ts';
export { DeclaredType } from './value/declared-type.ts';
export { CelError } from './value/fault.ts';
