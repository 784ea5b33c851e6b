import { RE2JS } from 're2js';

/** A pattern with Go's meaning (RE2: linear time, no backtracking). */
export type Pattern = RE2JS;

/**
 * Compiles an RE2 pattern; the text is the reason, in Go's words, why it is none. Nothing from outside is ever matched
 * by JavaScript's own regular expressions, which backtrack and so let a pattern hang the process.
 */
export function compilePattern(source: string): Pattern | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
