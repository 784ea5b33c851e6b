import type { Expr } from '../syntax/ast.ts';
import type { Evaluator } from '../value/frame.ts';
import type { CelValue } from '../value/value.ts';

/**
 * A node that is ready to run. `resolve` is set if the node is a chain of names, fields and indices. It computes the same
 * without the cost of reading a chain, which upstream does not charge in the branches of a conditional.
 */
export interface Plan {
  readonly evaluate: Evaluator;
  readonly constant?: CelValue;
  readonly resolve?: Evaluator;
}

/** Plans the nodes of a tree. A node whose parts have variables of their own gets it to plan these parts. */
export interface Planner {
  plan(expr: Expr): Plan;
  /** Computes a variable when it is first read; until then its slot is undefined. */
  bindLazily(slot: number, compute: Evaluator): void;
  /** Plans nodes in which new variables are visible; each variable gets its own slot. */
  withVariables<T>(names: readonly string[], planInner: (slots: readonly number[]) => T): T;
}
