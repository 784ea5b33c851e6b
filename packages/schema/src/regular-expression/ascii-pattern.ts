/** The patterns of a schema, all of which hold. */
export interface SchemaPatterns {
  readonly pattern?: string;
  readonly allOf?: readonly { readonly pattern?: string }[];
}

/** Whether one of a schema's patterns leaves nothing but texts of ASCII, as `@IsAscii()` does. */
export function allowsAsciiOnly(schema: SchemaPatterns): boolean {
  const patterns = [schema.pattern, ...(schema.allOf ?? []).map(({ pattern }) => pattern)];
  return patterns.some((pattern) => pattern !== undefined && matchesAsciiOnly(pattern));
}

/**
 * Whether a pattern in RE2's language matches nothing but texts of ASCII. It may say no of one that does; never yes of
 * one that does not.
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
      // Escapes of other letters and digits name larger classes, or any code point.
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
      // It leaves each side with one of the anchors alone.
      return false;
    }
  }
  return true;
}
