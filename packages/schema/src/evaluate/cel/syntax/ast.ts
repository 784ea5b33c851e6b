import type { FunctionDeclaration, Overload } from '../value/declaration.ts';
import type { CelType } from '../value/type.ts';
import type { CelValue } from '../value/value.ts';

/** What every node carries. `offset` is where errors about it point; the type checker fills in `type`. */
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
  /** Set by the type checker when the whole dotted path is one name, such as a type of a library. */
  qualified?: string;
}

/** A function or operator; operators are named as upstream names them, such as `_+_`. */
export interface CallExpr extends Node {
  readonly kind: 'call';
  readonly name: string;
  readonly target?: Expr;
  readonly args: readonly Expr[];
  /** Set by the type checker: the function, its arguments with the target among them, and the overloads that fit. */
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

/** `pkg.Message{field: value}`: parsed because the grammar has it; no message types are declared. */
export interface StructExpr extends Node {
  readonly kind: 'struct';
  readonly name: string;
}

/** What the macros over lists and maps become. */
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
