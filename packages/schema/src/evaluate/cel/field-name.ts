const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return var ' +
    'void while'
  ).split(' '),
);

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
