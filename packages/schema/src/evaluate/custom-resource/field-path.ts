import { childPath, hasMembers, keyPath } from '../apimachinery.ts';
import type { StructuralSchema } from '../structural-schema.ts';

/** The target of a path: its form in the API server's messages and the schema there; or the reason why it is invalid. */
export type ResolvedPath =
  | { readonly path: string; readonly schema: StructuralSchema; readonly error?: undefined }
  | { readonly path?: undefined; readonly error: string };

/** The reason for a well-formed path without a target. */
export const noSuchField = 'does not refer to a valid field';

/**
 * Follows a JSON path of names and quoted keys, `.spec['a.b'].c`, through a schema
 * (`ValidFieldPath` of apiextensions-apiserver pkg/apiserver/schema/cel/validation.go).
 */
export function resolveFieldPath(jsonPath: string, from: StructuralSchema, allowsKeys = true): ResolvedPath {
  let path = '';
  let schema = from;
  const tokens = tokensOf(jsonPath);
  for (let i = 0; i < tokens.length; ) {
    const delimiter = tokens[i++] ?? '';
    let name: string;
    if (delimiter === '[') {
      if (!allowsKeys) return { error: 'array notation is not allowed' };
      const quoted = tokens[i++];
      if (quoted === undefined) return { error: 'unexpected end of JSON path' };
      if (quoted.length < 2 || !quoted.startsWith("'") || !quoted.endsWith("'")) {
        return { error: `expected single quoted string but got ${quoted}` };
      }
      const unquoted = unescapeName(quoted.slice(1, -1));
      if ('error' in unquoted) return { error: `invalid string literal: ${unquoted.error}` };
      name = unquoted.text;
    } else if (delimiter === '.') {
      const next = tokens[i++];
      if (next === undefined) return { error: 'unexpected end of JSON path' };
      name = next;
    } else {
      return { error: `expected [ or . but got: ${delimiter}` };
    }
    const { properties, additionalProperties } = schema;
    if (properties !== undefined && isFilled(properties)) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property === undefined) return { error: noSuchField };
      path = childPath(path, name);
      schema = property;
    } else if (additionalProperties !== undefined) {
      path = keyPath(path, name);
      schema = typeof additionalProperties === 'object' ? additionalProperties : {};
    } else {
      return { error: noSuchField };
    }
    if (delimiter === '[') {
      const close = tokens[i++];
      if (close === undefined) return { error: 'unexpected end of JSON path' };
      if (close !== ']') return { error: `expected ] but got ${close}` };
    }
  }
  return { path, schema };
}

/** Cached, because it takes time linear in the number of keys, and many paths may lead through one object. */
const filled = new WeakMap<object, boolean>();

function isFilled(properties: object): boolean {
  let known = filled.get(properties);
  if (known === undefined) {
    known = hasMembers(properties);
    filled.set(properties, known);
  }
  return known;
}

/** The delimiters `.`, `[` and `]`, and the parts between them; a single-quoted string is one token. */
function tokensOf(jsonPath: string): string[] {
  return jsonPath.match(/'(?:\\.|[^'\\]|\\$)*'|[.[\]]|[^.[\]]+/gs) ?? [];
}

const escapes = new Map([
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ["'", "'"],
  ['\\', '\\'],
]);

function unescapeName(text: string): { text: string } | { error: string } {
  let error: string | undefined;
  const unescaped = text.replace(/\\./g, (sequence) => {
    const char = escapes.get(sequence.charAt(1));
    if (char === undefined) error = `invalid escape char ${sequence}`;
    return char ?? '';
  });
  return error === undefined ? { text: unescaped } : { error };
}
