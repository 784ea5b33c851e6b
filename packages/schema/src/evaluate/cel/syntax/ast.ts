import type { ConstructibleType, FunctionDeclaration, Overload } from '../value/declaration.ts';
import type { CelType } from '../value/type.ts';
import type { CelValue } from '../value/value.ts';

/** The fields of every node. Errors point to `offset`; the type checker sets `type`. */
interface Node {
  readonly offset: number;
  type?: CelType;
}

export interface LiteralExpr extends Node {
  readonly kind: 'literal';
  readonly value: CelValue;
}

export interface IdentExpr extends Node {
  readonly kind: 'ident';
  readonly name: string;
}

/** `operand.field`, `operand.?field` (optional) or `has(operand.field)` (testOnly). */
export interface SelectExpr extends Node {
  readonly kind: 'select';
  readonly operand: Expr;
  readonly field: string;
  readonly optional: boolean;
  readonly testOnly: boolean;
  /** Set by the type checker if the whole dotted path is one name, such as a type of a library. */
  qualified?: string;
}

/** A function or operator; operators have upstream's names, such as `_+_`. */
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** Set by the type checker: the function, its arguments including the target, and the matching overloads. */
  resolved?: {
    readonly declaration: FunctionDeclaration;
    readonly args: readonly Expr[];
    readonly overloads: readonly Overload[];
  };
}

export interface ListExpr extends Node {
  readonly kind: 'list';
  readonly elements: readonly Expr[];
  /** Indices of elements written `?element`. */
  readonly optionals: ReadonlySet<number>;
}

export interface MapEntryExpr {
  readonly key: Expr;
  readonly value: Expr;
  readonly optional: boolean;
}

export interface MapExpr extends Node {
  readonly kind: 'map';
  readonly entries: readonly MapEntryExpr[];
}

export interface StructFieldExpr {
  readonly offset: number;
  readonly name: string;
  readonly value: Expr;
  readonly optional: boolean;
}

/** `pkg.Message{field: value}`. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
  readonly fields: readonly StructFieldExpr[];
  /** Set by the type checker if values of the type can be constructed. */
  resolved?: ConstructibleType;
}

/** The expansion of macros over lists and maps. */
export interface ComprehensionExpr extends Node {
  readonly kind: 'comprehension';
  readonly range: Expr;
  readonly variable: string;
  readonly variable2?: string;
  readonly accumulator: string;
  readonly init: Expr;
  readonly condition: Expr;
  readonly step: Expr;
  readonly result: Expr;
}

export type Expr =
  | LiteralExpr
  | IdentExpr
  | SelectExpr
  | CallExpr
  | ListExpr
  | MapExpr
  | StructExpr
  | ComprehensionExpr;
