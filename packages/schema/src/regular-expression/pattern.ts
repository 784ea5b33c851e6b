import { RE2JS } from 're2js';

/** A pattern with Go's meaning (RE2: linear time, no backtracking). */
export type Pattern = RE2JS;

/**
 * Compiles an RE2 pattern; the text is the reason, in Go's words, why it is none. Nothing from outside is ever matched
 * by JavaScript's own regular expressions, which backtrack and so let a pattern hang the process.
 */
export function compilePattern(source: string): Pattern | string {
  const known = compiled.get(source)?.deref();
  if (known !== undefined) return known;
  const pattern = compile(source);
  if (typeof pattern !== 'string' && source.length <= longestRemembered) {
    const [oldest] = compiled.keys();
    if (compiled.size >= mostRemembered && oldest !== undefined) compiled.delete(oldest);
    compiled.set(source, new WeakRef(pattern));
  }
  return pattern;
}

/**
 * Kinds of one program share patterns, and each schema is checked, defaulted and validated with them. Only weakly held: a
 * short text can compile to megabytes.
 */
const compiled = new Map<string, WeakRef<Pattern>>();
const mostRemembered = 1000;
const longestRemembered = 1000;

function compile(source: string): Pattern | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Go lets groups share a name; which is which does not matter here.
    if (reason.includes('duplicate capture group name')) return compile(withoutGroupNames(source));
    return inGoWords(reason, source);
  }
}

function withoutGroupNames(source: string): string {
  const parts = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]|\(\?P?<\w+>/gs;
  return source.replace(parts, (part) => (part.startsWith('(?') ? '(' : part));
}

/** Some errors name the text in Go that do not here. */
function inGoWords(reason: string, source: string): string {
  if (reason.endsWith('trailing backslash at end of expression')) return `${reason}: \`\``;
  if (/(?:expression nests too deeply|expression too large)$/.test(reason)) return `${reason}: \`${source}\``;
  return reason;
}
