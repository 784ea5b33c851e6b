import type { Expr } from './syntax/ast.ts';
import { childrenOf } from './syntax/node-walk.ts';
import { parse } from './syntax/parser.ts';
import { CelSource } from './syntax/source.ts';

/**
 * Returns the path of a field that an expression constructs as a list, such as `Object.spec.hosts`; undefined if it shows none. A
 * list that it only reads is not found.
 */
export function constructedListIn(expression: string): string | undefined {
  const parsed = parse(new CelSource(expression));
  return 'issues' in parsed ? undefined : listFieldIn(parsed.expr);
}

function listFieldIn(expr: Expr): string | undefined {
  if (expr.kind === 'struct') {
    const field = expr.fields.find(({ value }) => isList(value));
    if (field !== undefined) return `${expr.name}.${field.name}`;
  }
  for (const child of childrenOf(expr)) {
    const found = listFieldIn(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** `map()` and `filter()` collect in a list. */
function isList(expr: Expr): boolean {
  return expr.kind === 'list' || (expr.kind === 'comprehension' && expr.init.kind === 'list');
}
