/**
 * The Common Expression Language of Kubernetes 1.36: the rules of `x-kubernetes-validations` are compiled against a
 * structural schema and evaluated in process, with the API server's results, messages and costs.
 *
 * docs/decisions/cel.md explains why no library is used. The tables in `conformance/` list the supported expressions with
 * their costs. Messages such as `google.protobuf.Duration{}` are not supported. The authorizer and the types of patches are for
 * the expressions of admission in `evaluate/admission`; rules of custom resources cannot use them.
 *
 * Expressions, schemas and data may come from untrusted users: nothing is evaluated as JavaScript, regular expressions do
 * not backtrack, and time and memory of every call are bounded.
 */

export { maxCardinality, minSerializedSize, saturate } from './cost/estimate-size.ts';
export { CostBudget, outOfBudget } from './program.ts';
export { CompiledRule, compileRule } from './rule.ts';
export { DeclaredType } from './value/declared-type.ts';
export { CelError } from './value/fault.ts';
