const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

const unescaped = new Map([
  ['underscores', '__'],
  ['dot', '.'],
  ['dash', '-'],
  ['slash', '/'],
]);

/** Whether the word is reserved, so that it is a field under its own name and under `__word__`. */
export function isReservedWord(word: string): boolean {
  return reserved.has(word);
}

/**
 * The identifier by which expressions name a property: `__dot__`, `__dash__`, `__slash__` and `__underscores__` for
 * what identifiers cannot hold, `__namespace__` for reserved words. Undefined when the property has no such name and
 * is invisible to expressions (k8s.io/apiserver `pkg/cel/escaping.go`).
 */
export function escapeFieldName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  return name.replace(/__|[./-]/g, (match) => {
    switch (match) {
      case '__':
        return '__underscores__';
      case '.':
        return '__dot__';
      case '/':
        return '__slash__';
      default:
        return '__dash__';
    }
  });
}

/**
 * The property an identifier names, or undefined when it holds an escape sequence that does not exist. Reserved words
 * may also be given as they are.
 */
export function unescapeFieldName(field: string): string | undefined {
  let isValid = true;
  const name = field.replace(/__([^_]+)__/g, (sequence, content: string) => {
    const meant = unescaped.get(content) ?? (reserved.has(content) && sequence === field ? content : undefined);
    if (meant === undefined) isValid = false;
    return meant ?? '';
  });
  return isValid ? name : undefined;
}
