import { authorizerType } from '../cel/library/authorizer.ts';
import { type CompilationFailure, compileExpression, type VariableType } from '../cel/program.ts';
import { DeclaredType } from '../cel/value/declared-type.ts';
import { type CelType, dynType, objectType } from '../cel/value/type.ts';
import type { StructuralSchema } from '../structural-schema.ts';
import { composedType } from './admission-compiler.ts';
import { namespaceType, requestType } from './request-type.ts';

/** A kind that a policy is checked for. */
export interface CheckedType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: StructuralSchema;
}

/** The expressions of a ValidatingAdmissionPolicy, and the types of their variables. */
export interface CheckedPolicy {
  readonly validations: readonly { readonly expression: string; readonly messageExpression?: string }[];
  readonly variables: readonly { readonly name: string; readonly expression: string }[];
  /** The kinds of `object` and `oldObject`. */
  readonly types: readonly CheckedType[];
  readonly hasParams: boolean;
  /** Default: `params` may have any type. */
  readonly paramType?: CheckedType;
}

export interface ExpressionWarning {
  readonly fieldRef: string;
  readonly warning: string;
}

/**
 * Checks the expressions of a policy with the schemas of the kinds that it matches: `status.typeChecking`.
 *
 * Source: k8s.io/apiserver v0.36 `pkg/admission/plugin/policy/validating/typechecking.go`. As there, the variable
 * `authorizer.requestResource` is not known. Names of types have no random suffix here.
 */
export function policyWarnings(policy: CheckedPolicy): readonly ExpressionWarning[] {
  const environments = policy.types.map((type) => new TypedEnvironment(policy, type));
  const warnings: ExpressionWarning[] = [];
  const check = (fieldRef: string, expression: string): void => {
    const found = environments.flatMap((environment) => environment.check(expression));
    if (found.length > 0) warnings.push({ fieldRef, warning: found.join('\n') });
  };
  for (const [index, { expression, messageExpression = '' }] of policy.validations.entries()) {
    check(`spec.validations[${index}].expression`, expression);
    if (messageExpression !== '') check(`spec.validations[${index}].messageExpression`, messageExpression);
  }
  return warnings;
}

/** The variables of a policy for one kind. */
class TypedEnvironment {
  readonly #type: CheckedType;
  readonly #variables: Readonly<Record<string, VariableType>>;

  constructor({ variables, hasParams, paramType }: CheckedPolicy, type: CheckedType) {
    this.#type = type;
    const object = typeOf(type);
    const composed = new Map<string, CelType>();
    const declared = {
      field: (name: string) => {
        const celType = composed.get(name);
        return celType === undefined ? undefined : { celType };
      },
    };
    this.#variables = {
      object,
      oldObject: object,
      namespaceObject: namespaceType,
      request: requestType,
      authorizer: authorizerType,
      variables: { ...objectType('kubernetes.variables'), declared },
      ...(hasParams && { params: paramType === undefined ? dynType : typeOf(paramType) }),
    };
    for (const { name, expression } of variables) {
      const compiled = compileExpression(expression, this.#variables);
      composed.set(name, 'failure' in compiled ? dynType : composedType(compiled.program.resultType));
    }
  }

  check(expression: string): readonly string[] {
    const compiled = compileExpression(expression, this.#variables);
    const issues = 'failure' in compiled ? issuesOf(compiled.failure) : undefined;
    if (issues === undefined) return [];
    const { group, version, kind } = this.#type;
    return [`${group}/${version}, Kind=${kind}: ${issues}\n`];
  }
}

/** Undefined if the expression is well typed, but a constant in it cannot be computed. */
function issuesOf({ message }: CompilationFailure): string | undefined {
  const prefix = 'compilation failed: ';
  return message.startsWith(prefix) ? message.slice(prefix.length) : undefined;
}

function typeOf({ schema, kind }: CheckedType): VariableType {
  const type = DeclaredType.of(schema, true, kind);
  return type.kind === 'preserved' ? dynType : type;
}
