import type { CelType, CelTypeKind } from './type.ts';
import type { CelValue } from './value.ts';

/** One signature of a function. The first argument of member functions is the receiver. */
export interface Overload {
  /** Upstream's name of the overload. */
  readonly id: string;
  readonly isMember: boolean;
  readonly args: readonly CelType[];
  readonly result: CelType;
  /**
   * The implementation, called with values of the declared types. Missing for functions that the compiler implements, such
   * as `&&`. Throws EvaluationFault for every error that an expression can cause.
   */
  readonly invoke?: Implementation;
}

export type Implementation = (...args: CelValue[]) => CelValue;

/** All overloads of one function name. */
export interface FunctionDeclaration {
  readonly name: string;
  readonly overloads: readonly Overload[];
  /**
   * Set if all overloads share an implementation that accepts any values and rejects invalid ones itself. With kinds, a
   * first argument of another kind is rejected before the call, for which upstream has a different message.
   */
  readonly receives?: 'anything' | readonly CelTypeKind[];
}

/** A struct type of which expressions can construct values: `Name{field: value}`. */
export interface ConstructibleType {
  readonly type: CelType;
  /** Throws EvaluationFault for values that the fields cannot have. */
  construct(fields: ReadonlyMap<string, CelValue>): CelValue;
}

/** A set of functions and the names of types that come with them. */
export interface Library {
  readonly functions: readonly FunctionDeclaration[];
  readonly types?: readonly CelType[];
}

/** Declares a function called `name(args)`. */
export function globalOverload(
  id: string,
  args: readonly CelType[],
  result: CelType,
  invoke?: Implementation,
): Overload {
  return { id, isMember: false, args, result, ...(invoke === undefined ? {} : { invoke }) };
}

/** Declares a function called `args[0].name(the rest)`. */
export function memberOverload(
  id: string,
  args: readonly CelType[],
  result: CelType,
  invoke?: Implementation,
): Overload {
  return { ...globalOverload(id, args, result, invoke), isMember: true };
}

/** Merges libraries; overloads of one name from several libraries become one function. */
export function mergeLibraries(libraries: readonly Library[]): ReadonlyMap<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of libraries.flatMap((library) => library.functions)) {
    const known = functions.get(declaration.name);
    const overloads = [...(known?.overloads ?? []), ...declaration.overloads];
    functions.set(declaration.name, { ...known, ...declaration, overloads });
  }
  return functions;
}
