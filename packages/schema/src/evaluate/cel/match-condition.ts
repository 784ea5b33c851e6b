import { type CelProgram, type CompilationFailure, type CostBudget, compileExpression } from './program.ts';
import { dynamicValue } from './value/dynamic-value.ts';
import {
  boolType,
  type CelType,
  dynType,
  formatType,
  listType,
  mapType,
  objectType,
  type StructDeclaration,
  stringType,
} from './value/type.ts';

/** The cost budget of all match conditions of one webhook for one request (`RuntimeCELCostBudgetMatchConditions`). */
export const matchConditionsCostMax = 2_500_000;

/** The JSON of a request, as expressions see it. It is read, never copied or changed. */
export interface MatchConditionInput {
  /** The new object; null for a deletion. */
  readonly object: unknown;
  /** The stored object; null for a creation. */
  readonly oldObject: unknown;
  /** The AdmissionRequest without objects. */
  readonly request: unknown;
}

/** A compiled match condition. It may be kept and shared. */
export class MatchCondition {
  readonly #program: CelProgram;

  constructor(program: CelProgram) {
    this.#program = program;
  }

  /** Throws CelError as CelProgram.evaluate does. */
  evaluate(input: MatchConditionInput, budget: CostBudget): boolean {
    const variables = {
      object: dynamicValue(input.object),
      oldObject: dynamicValue(input.oldObject),
      request: dynamicValue(input.request),
    };
    return this.#program.evaluate(variables, budget) === true;
  }
}

/**
 * Compiles a match condition of a webhook, or returns the reason why the API server would reject it. The variables are
 * `object`, `oldObject` and `request`; the variable `authorizer` is not supported.
 */
export function compileMatchCondition(expression: string): MatchCondition | CompilationFailure {
  const compiled = compileExpression(expression, { object: dynType, oldObject: dynType, request: requestType });
  if ('failure' in compiled) return compiled.failure;
  const { resultType } = compiled.program;
  if (resultType.kind !== 'bool' && resultType.kind !== 'dyn') {
    return { message: `must evaluate to bool but got ${formatType(resultType)}`, issues: [] };
  }
  return new MatchCondition(compiled.program);
}

function struct(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const types = new Map(Object.entries(fields));
  const declared: StructDeclaration = {
    field(field) {
      const celType = types.get(field);
      return celType === undefined ? undefined : { celType };
    },
  };
  return { ...objectType(name), declared };
}

const groupVersionKind = struct('kubernetes.GroupVersionKind', {
  group: stringType,
  version: stringType,
  kind: stringType,
});
const groupVersionResource = struct('kubernetes.GroupVersionResource', {
  group: stringType,
  version: stringType,
  resource: stringType,
});

/** Source: `BuildRequestType` of apiserver `pkg/admission/plugin/cel/compile.go`. */
const requestType = struct('kubernetes.AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: stringType,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: stringType,
  name: stringType,
  namespace: stringType,
  operation: stringType,
  userInfo: struct('kubernetes.UserInfo', {
    username: stringType,
    uid: stringType,
    groups: listType(stringType),
    extra: mapType(stringType, listType(stringType)),
  }),
  dryRun: boolType,
  options: dynType,
});
