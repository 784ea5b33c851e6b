import { RE2JS } from 're2js';

/** A pattern with Go's semantics (RE2: linear time, no backtracking). */
export type Pattern = RE2JS;

/**
 * Compiles an RE2 pattern. Returns Go's error message as a string if it is invalid. Patterns from outside are never run by
 * JavaScript's engine, which backtracks, so that a pattern could block the process.
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
 * A cache, because kinds of one program share patterns, and each schema is checked, defaulted and validated with them. The
 * references are weak, because a short pattern can compile to megabytes.
 */
const compiled = new Map<string, WeakRef<Pattern>>();
const mostRemembered = 1000;
const longestRemembered = 1000;

function compile(source: string): Pattern | string {
  try {
    return RE2JS.compile(source);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // Go allows duplicate group names. The names have no effect here.
    if (reason.includes('duplicate capture group name')) return compile(withoutGroupNames(source));
    return inGoWords(reason, source);
  }
}

function withoutGroupNames(source: string): string {
  const parts = /\\Q.*?(?:\\E|$)|\\.|\[\^?\]?(?:\\.|\[:\^?[a-z]+:\]|[^\]\\])*\]|\(\?P?<\w+>/gs;
  return source.replace(parts, (part) => (part.startsWith('(?') ? '(' : part));
}

/** Adds the pattern to errors that contain it in Go, but not in the library. */
function inGoWords(reason: string, source: string): string {
  if (reason.endsWith('trailing backslash at end of expression')) return `${reason}: \`\``;
  if (/(?:expression nests too deeply|expression too large)$/.test(reason)) return `${reason}: \`${source}\``;
  return reason;
}
