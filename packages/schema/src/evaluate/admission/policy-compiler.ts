import { AdmissionCompiler, type AdmissionVariables } from './admission-compiler.ts';
import { MatchConditions } from './match-conditions.ts';

interface PolicySpec {
  readonly paramKind?: unknown;
  readonly variables?: readonly { readonly name: string; readonly expression: string }[];
  readonly matchConditions?: readonly { readonly expression?: string }[];
}

/** What both types of policies declare before their own expressions: variables and match conditions, compiled. */
export interface PolicyCompiler {
  readonly compiler: AdmissionCompiler;
  readonly conditions: MatchConditions;
  /** What every expression may use. */
  readonly declared: AdmissionVariables;
}

export function policyCompiler({ paramKind, variables = [], matchConditions = [] }: PolicySpec): PolicyCompiler {
  const declared = { params: paramKind !== undefined, authorizer: true };
  const compiler = new AdmissionCompiler({ composes: true });
  for (const { name, expression } of variables) compiler.addVariable(name, expression, declared);
  return { compiler, conditions: new MatchConditions(compiler, matchConditions, declared), declared };
}
