import { type TranslationOptions, translateExpression } from './translate-expression.ts';

/** A demand on a text; it costs nothing in the API server's budget for CEL. */
export interface TextValidation {
  readonly pattern?: string;
  readonly not?: { readonly pattern: string };
}

/** A regular expression as demands that hold together, or why there are none. */
export type ExpressionValidations =
  | {
      readonly all: readonly TextValidation[];
      /** It may differ for characters beyond U+FFFF: JavaScript counts them as two without the flag `u`, and `\B` always. */
      readonly countsAstralOnce: boolean;
      /** Lookaheads that could not be kept were left out, so that more is accepted. */
      readonly leavesOutLookaheads: boolean;
    }
  | { readonly refused: string };

export interface ExpressionOptions extends TranslationOptions {
  /** Leaves out lookaheads that RE2 cannot say, instead of refusing the expression. */
  readonly leaveOutLookaheads?: boolean;
}

type Expression = Pick<RegExp, 'source' | 'flags'>;

/**
 * Says a regular expression as patterns. Lookaheads at its start (`^(?=.*\d)(?!admin).+$`), which RE2 does not have,
 * become demands of their own: they look at the whole text.
 */
export function expressionValidations(expression: Expression, options: ExpressionOptions = {}): ExpressionValidations {
  const { lookaheads, rest } = splitLookaheads(expression.source);
  const source = options.leaveOutLookaheads === true ? withoutLookaheads(rest) : rest;
  const all: TextValidation[] = [];
  let leavesOutLookaheads = source !== rest;
  let countsAstralOnce = false;

  const main = translateExpression({ source, flags: expression.flags }, options);
  if ('refused' in main) return main;
  if (source !== '^') all.push({ pattern: main.pattern });
  countsAstralOnce ||= main.countsAstralOnce;
  for (const { content, isNegative } of lookaheads) {
    const ahead = translateExpression({ source: `^(?:${content})`, flags: expression.flags }, options);
    if ('refused' in ahead) {
      if (options.leaveOutLookaheads !== true) return ahead;
      leavesOutLookaheads = true;
      continue;
    }
    countsAstralOnce ||= ahead.countsAstralOnce;
    all.push(isNegative ? { not: { pattern: ahead.pattern } } : { pattern: ahead.pattern });
  }
  return { all, countsAstralOnce, leavesOutLookaheads };
}

interface Lookahead {
  readonly content: string;
  readonly isNegative: boolean;
}

function splitLookaheads(source: string): { readonly lookaheads: readonly Lookahead[]; readonly rest: string } {
  const lookaheads: Lookahead[] = [];
  let at = 1;
  while (source.startsWith('^') && isLookahead(source, at)) {
    const end = groupEnd(source, at);
    // A repeated lookahead may be repeated no times.
    if (isQuantifier(source[end])) return { lookaheads: [], rest: source };
    lookaheads.push({ content: source.slice(at + 3, end - 1), isNegative: source[at + 2] === '!' });
    at = end;
  }
  if (lookaheads.length === 0 || hasAlternatives(source)) return { lookaheads: [], rest: source };
  return { lookaheads, rest: `^${source.slice(at)}` };
}

function withoutLookaheads(source: string): string {
  let kept = '';
  for (let at = 0; at < source.length; ) {
    const isAhead = isLookahead(source, at);
    const end = isAhead ? groupEnd(source, at) : atomEnd(source, at);
    if (!isAhead) kept += source.slice(at, end);
    // It may be repeated.
    else if (isQuantifier(source[end])) kept += '(?:)';
    at = end;
  }
  return kept;
}

function isLookahead(source: string, at: number): boolean {
  return source.startsWith('(?=', at) || source.startsWith('(?!', at);
}

function isQuantifier(character: string | undefined): boolean {
  return character !== undefined && '*+?{'.includes(character);
}

/** Whether alternatives stand outside of all groups. */
function hasAlternatives(source: string): boolean {
  for (let at = 0; at < source.length; ) {
    if (source[at] === '|') return true;
    at = source[at] === '(' ? groupEnd(source, at) : atomEnd(source, at);
  }
  return false;
}

/** Behind the bracket that closes the group that begins here. */
function groupEnd(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== ')') {
    at = source[at] === '(' ? groupEnd(source, at) : atomEnd(source, at);
  }
  return at + 1;
}

/** Behind an escape, a class or a character. */
function atomEnd(source: string, start: number): number {
  if (source[start] === '\\') return start + 2;
  if (source[start] !== '[') return start + 1;
  let at = start + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}
