/** The patterns of a schema. All of them must match. */
export interface SchemaPatterns {
  readonly pattern?: string;
  readonly allOf?: readonly { readonly pattern?: string }[];
}

/** Whether one of a schema's patterns allows only ASCII strings, as `@IsAscii()` does. */
export function allowsAsciiOnly(schema: SchemaPatterns): boolean {
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map(({ pattern }) => pattern)];
  return patterns.some((pattern) => pattern !== undefined && matchesAsciiOnly(pattern));
}

/**
 * Whether an RE2 pattern matches only ASCII strings. A false result may be wrong, a true result never.
 */
export function matchesAsciiOnly(pattern: string): boolean {
  const escapes = /\\*\$$/.exec(pattern)?.[0].length ?? 0;
  // Anchored at both ends; a dollar after an odd number of backslashes is a character.
  if (!pattern.startsWith('^') || escapes % 2 === 0) return false;
  let depth = 0;
  let inClass = false;
  for (let at = 1; at < pattern.length - 1; at++) {
    const character = pattern[at] ?? '';
    const next = pattern[at + 1] ?? '';
    if (character > '\x7f') return false;
    if (character === '\\') {
      // Escapes with other letters and digits are larger classes, or any code point.
      const isAscii = 'dwbtnrfv'.includes(next) || /^x[0-7][0-9a-fA-F]/.test(pattern.slice(at + 1, at + 4));
      if (/[a-zA-Z0-9]/.test(next) && !isAscii) return false;
      at++;
    } else if (inClass) {
      inClass = character !== ']';
    } else if (character === '[') {
      if (next === '^') return false;
      inClass = true;
    } else if (character === '.') {
      return false;
    } else if (character === '(') {
      depth++;
      if (next === '?' && pattern[at + 2] !== ':') return false;
    } else if (character === ')') {
      depth--;
    } else if (character === '|' && depth === 0) {
      // An alternative at the top level has only one of the two anchors.
      return false;
    }
  }
  return true;
}
