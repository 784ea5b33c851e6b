import { compileRegex, find, findAll, matches } from '../library/regex.ts';
import type { CallExpr } from '../syntax/ast.ts';
import type { Implementation } from '../value/declaration.ts';
import type { Plan } from './plan.ts';

/** `matches`, `find` and `findAll` with a constant pattern, compiled once; undefined for everything else. */
export function planRegex(
  { declaration: { name } }: NonNullable<CallExpr['resolved']>,
  args: readonly Plan[],
): Implementation | undefined {
  if (name !== 'matches' && name !== 'find' && name !== 'findAll') return undefined;
  const pattern = args[1]?.constant;
  if (typeof pattern !== 'string') return undefined;
  const regex = compileRegex(pattern);
  switch (name) {
    case 'matches':
      return (text) => matches(text ?? null, regex);
    case 'find':
      return (text) => find(text ?? null, regex);
    default:
      return (text, _, limit) => findAll(text ?? null, regex, limit);
  }
}
