import { type TranslationOptions, translateExpression } from './translate-expression.ts';

/** A validation of a string. It does not count in the API server's budget for CEL. */
export interface TextValidation {
  readonly pattern?: string;
  readonly not?: { readonly pattern: string };
}

/** A regular expression as a list of validations that must all succeed, or the reason why there are none. */
export type ExpressionValidations =
  | {
      readonly all: readonly TextValidation[];
      /**
       * Whether results may differ for characters beyond U+FFFF: JavaScript counts them as two without the flag `u`, and always
       * for `\B`.
       */
      readonly countsAstralOnce: boolean;
      /** Whether lookaheads were omitted, so that more strings are accepted. */
      readonly leavesOutLookaheads: boolean;
    }
  | { readonly refused: string };

export interface ExpressionOptions extends TranslationOptions {
  /** Omits lookaheads that RE2 cannot express, instead of rejecting the expression. */
  readonly leaveOutLookaheads?: boolean;
}

type Expression = Pick<RegExp, 'source' | 'flags'>;

/**
 * Expresses a regular expression as patterns. RE2 has no lookaheads. Those at the start (`^(?=.*\d)(?!admin).+$`) become
 * separate validations, because they test the whole string.
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
    // A quantifier may repeat a lookahead zero times.
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
    // A quantifier follows.
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

/** Whether there are alternatives outside of all groups. */
function hasAlternatives(source: string): boolean {
  for (let at = 0; at < source.length; ) {
    if (source[at] === '|') return true;
    at = source[at] === '(' ? groupEnd(source, at) : atomEnd(source, at);
  }
  return false;
}

/** The index after the bracket that closes the group at `start`. */
function groupEnd(source: string, start: number): number {
  let at = start + 1;
  while (at < source.length && source[at] !== ')') {
    at = source[at] === '(' ? groupEnd(source, at) : atomEnd(source, at);
  }
  return at + 1;
}

/** The index after the escape, class or character at `start`. */
function atomEnd(source: string, start: number): number {
  if (source[start] === '\\') return start + 2;
  if (source[start] !== '[') return start + 1;
  let at = start + 1;
  while (at < source.length && source[at] !== ']') at += source[at] === '\\' ? 2 : 1;
  return at + 1;
}
