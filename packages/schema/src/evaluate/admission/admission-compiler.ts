import { kubernetesEnvironment, patchEnvironment } from '../cel/environment.ts';
import { authorizerType, resourceCheckType } from '../cel/library/authorizer.ts';
import { applyConfigurationType, jsonPatchType } from '../cel/library/constructed-object.ts';
import { type CelProgram, compileExpression, type VariableType } from '../cel/program.ts';
import {
  boolType,
  type CelType,
  dynType,
  isSameType,
  listType,
  mapType,
  nullType,
  objectType,
  stringType,
  typeText,
} from '../cel/value/type.ts';
import { namespaceType, requestType } from './request-type.ts';

/** The variables that only some expressions of admission have. Default: none of them. */
export interface AdmissionVariables {
  readonly params?: boolean;
  readonly authorizer?: boolean;
  /** The types `Object` and `JSONPatch`. */
  readonly patchTypes?: boolean;
}

/** The types that the results may have; `variable` may have any. */
const resultTypes = {
  condition: [boolType],
  message: [stringType],
  auditAnnotation: [stringType, nullType],
  jsonPatch: [listType(jsonPatchType)],
  applyConfiguration: [applyConfigurationType],
  variable: undefined,
} as const;

/** A compiled expression, or the API server's message why it cannot be compiled. It may be kept and shared. */
export interface AdmissionExpression {
  readonly expression: string;
  readonly compiled: CelProgram | { readonly failure: string };
}

/**
 * Compiles the expressions of webhooks and policies. One that composes lets expressions use `variables` with the variables
 * added before; create one for each policy.
 *
 * Source: k8s.io/apiserver v0.36 `pkg/admission/plugin/cel`, `compile.go` and `composition.go`.
 */
export class AdmissionCompiler {
  readonly variables = new Map<string, AdmissionExpression>();
  readonly #variableTypes = new Map<string, CelType>();
  readonly #declared: Readonly<Record<string, VariableType>>;

  constructor({ composes = false }: { readonly composes?: boolean } = {}) {
    const declared = {
      field: (name: string) => {
        const celType = this.#variableTypes.get(name);
        return celType === undefined ? undefined : { celType };
      },
    };
    this.#declared = {
      object: dynType,
      oldObject: dynType,
      namespaceObject: namespaceType,
      request: requestType,
      ...(composes && { variables: { ...objectType('kubernetes.variables'), declared } }),
    };
  }

  /** Compiles a variable for the expressions that are compiled later. */
  addVariable(name: string, expression: string, variables: AdmissionVariables = {}): AdmissionExpression {
    const variable = this.compile(expression, 'variable', variables);
    const { compiled } = variable;
    this.variables.set(name, variable);
    this.#variableTypes.set(name, 'failure' in compiled ? dynType : composedType(compiled.resultType));
    return variable;
  }

  compile(
    expression: string,
    result: keyof typeof resultTypes,
    { params = false, authorizer = false, patchTypes = false }: AdmissionVariables = {},
  ): AdmissionExpression {
    const compilation = compileExpression(
      expression,
      {
        ...this.#declared,
        ...(params && { params: dynType }),
        ...(authorizer && { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType }),
      },
      patchTypes ? patchEnvironment : kubernetesEnvironment,
    );
    if ('failure' in compilation) return { expression, compiled: { failure: compilation.failure.message } };
    const { program } = compilation;
    const types: readonly CelType[] | undefined = resultTypes[result];
    if (types === undefined || types.some((type) => isSameType(type, program.resultType))) {
      return { expression, compiled: program };
    }
    const [only = boolType] = types;
    const expected = types.length === 1 ? typeText(only) : `one of [${types.map(typeText).join(' ')}]`;
    const failure = `must evaluate to ${expected} but got ${typeText(program.resultType)}`;
    return { expression, compiled: { failure } };
  }
}

const simpleKinds = new Set(
  'null bool int uint double string bytes timestamp duration'.split(' ') as readonly CelType['kind'][],
);

/** The type of a variable in later expressions: only simple types and their lists and maps are kept. */
export function composedType(type: CelType): CelType {
  const [first = dynType, second = dynType] = type.parameters;
  if (simpleKinds.has(type.kind)) return type;
  if (type.kind === 'list') return listType(composedType(first));
  return type.kind === 'map' ? mapType(composedType(first), composedType(second)) : dynType;
}
