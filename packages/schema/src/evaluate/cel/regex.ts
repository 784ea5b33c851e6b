import { compilePattern, type Pattern } from '../pattern.ts';
import type { CallExpr } from './ast.ts';
import type { Plan } from './compile.ts';
import type { Implementation } from './declaration.ts';
import { EvaluationFault, noSuchOverload } from './fault.ts';
import { ArrayList, type CelValue, isInt, stringOf } from './value.ts';

/** Compiles a pattern. Throws EvaluationFault with `prefix` before what is wrong. */
export function compileRegex(source: string, prefix = ''): Pattern {
  const pattern = compilePattern(source);
  if (typeof pattern === 'string') throw new EvaluationFault(`${prefix}${pattern}`);
  return pattern;
}

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

export function matches(text: CelValue, regex: Pattern): boolean {
  return regex.matcher(stringOf(text)).find();
}

/** The first match, or the empty string. */
export function find(text: CelValue, regex: Pattern): string {
  const matcher = regex.matcher(stringOf(text));
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** All matches that do not overlap, at most `limit` when that is not negative. */
export function findAll(text: CelValue, regex: Pattern, limit: CelValue | undefined): ArrayList {
  const matcher = regex.matcher(stringOf(text));
  const wanted = limit === undefined ? -1 : isInt(limit) ? Number(limit) : undefined;
  if (wanted === undefined) throw noSuchOverload();
  const found: string[] = [];
  let end = -1;
  while ((wanted < 0 || found.length < wanted) && matcher.find()) {
    // Go passes over an empty match right after another match.
    if (matcher.end() > matcher.start() || matcher.start() !== end) found.push(matcher.group() ?? '');
    end = matcher.end();
  }
  return new ArrayList(found);
}
