import { RE2JS } from 're2js';

/** A pattern with Go's meaning (RE2: linear time, no backtracking), searched for anywhere in a text. */
export interface Pattern {
  matches(text: string): boolean;
}

/**
 * Compiles an RE2 pattern. Throws an Error with the reason where Go's regexp package would refuse it.
 */
export function compilePattern(source: string): Pattern {
  const compiled = RE2JS.compile(source);
  return { matches: (text) => compiled.matcher(text).find() };
}

/** Why the pattern is none, in Go's words; undefined where it compiles. */
export function patternError(source: string): string | undefined {
  try {
    RE2JS.compile(source);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
