/**
 * Characters that JSON may contain as they are, and that a parser of YAML 1.1 rejects (`is_printable` of goyaml.v2) or takes for
 * line breaks, which it replaces by a space (`is_break`).
 */
export const notInYaml = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** The escape sequence of JSON for a UTF-16 code unit, such as `\u2028`. */
export function jsonEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
