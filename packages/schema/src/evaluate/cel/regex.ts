import { RE2JS } from 're2js';
import type { CallExpr } from './ast.ts';
import type { Plan } from './compile.ts';
import type { Implementation } from './declaration.ts';
import { EvaluationFault, noSuchOverload } from './fault.ts';
import { ArrayList, type CelValue, isInt } from './value.ts';

/**
 * A compiled pattern in Go's syntax. It runs in time linear in the text, so that no pattern can hang the process:
 * JavaScript's own regular expressions backtrack and are never used on text from outside.
 * Throws EvaluationFault with `prefix` before what is wrong.
 */
export function compileRegex(pattern: string, prefix = ''): RE2JS {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    throw new EvaluationFault(`${prefix}${error instanceof Error ? error.message : String(error)}`);
  }
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

export function matches(text: CelValue, regex: RE2JS): boolean {
  return regex.matcher(textOf(text)).find();
}

/** The first match, or the empty string. */
export function find(text: CelValue, regex: RE2JS): string {
  const matcher = regex.matcher(textOf(text));
  return matcher.find() ? (matcher.group() ?? '') : '';
}

/** All matches that do not overlap, at most `limit` when that is not negative. */
export function findAll(text: CelValue, regex: RE2JS, limit: CelValue | undefined): ArrayList {
  const matcher = regex.matcher(textOf(text));
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

function textOf(value: CelValue): string {
  if (typeof value === 'string') return value;
  throw noSuchOverload();
}
