import type { Placeholders } from './placeholders.ts';

/** Returns the placeholder of a key that exists only if a value is not empty: `tolerations` from `$.Values.tolerations`. */
export function optionalKey(placeholders: Placeholders, key: string, path = key): string {
  return placeholders.lines((indent) => [
    `${indent}{{- with $.Values.${path} }}`,
    `${indent}${key}:`,
    `${indent}  {{- toYaml . | nindent ${indent.length + 2} }}`,
    `${indent}{{- end }}`,
  ]);
}

/** Returns a placeholder that a value with more items or keys replaces. */
export function moreOf(placeholders: Placeholders, path: string): string {
  return placeholders.lines((indent) => [
    `${indent}{{- with $.Values.${path} }}`,
    `${indent}{{- toYaml . | nindent ${indent.length} }}`,
    `${indent}{{- end }}`,
  ]);
}

/** Returns the placeholder of lines that exist only on a condition. */
export function linesIf(placeholders: Placeholders, condition: string, ...lines: readonly string[]): string {
  return placeholders.lines((indent) => [
    `${indent}{{- if ${condition} }}`,
    ...lines.map((line) => `${indent}${line}`),
    `${indent}{{- end }}`,
  ]);
}
