import type { Expr } from './ast.ts';

/** The nodes directly below a checked node. The parts of a dotted name are not nodes. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return expr.qualified === undefined ? [expr.operand] : [];
    case 'call':
      return expr.resolved?.args ?? expr.args;
    case 'list':
      return expr.elements;
    case 'map':
      return expr.entries.flatMap(({ key, value }) => [key, value]);
    case 'struct':
      return expr.fields.map(({ value }) => value);
    case 'comprehension':
      return [expr.range, expr.init, expr.condition, expr.step, expr.result];
    default:
      return [];
  }
}

/** The names that an expression reads, including its iteration variables. */
export function namesIn(expr: Expr): ReadonlySet<string> {
  const names = new Set<string>();
  const seen = new Set<Expr>();
  const visit = (node: Expr): void => {
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'ident') names.add(node.name);
    childrenOf(node).forEach(visit);
  };
  visit(expr);
  return names;
}
