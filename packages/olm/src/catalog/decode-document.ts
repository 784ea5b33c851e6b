import { isJsonObject, type JsonObject, setKey } from '@evenkeel/apimachinery/json';
import type { SchemaNode } from '@evenkeel/kinds/schemas';
import { decodeTyped, TypeMismatch } from '../bundle/json-types.ts';
import { isBase64 } from '../format/base64-text.ts';

type Path = readonly (string | number)[];

/** A decoded value, and the keys that other tools may not find. */
export interface Decoded {
  readonly value: unknown;
  /** Keys with other capital letters than their fields, which Go accepts. */
  readonly foldedKeys: readonly { readonly path: Path; readonly expected: string }[];
}

/**
 * Decodes a value as Go's encoding/json does for a struct. Keys match their fields whatever the case of their letters, and `[]byte` is
 * base64.
 *
 * @throws TypeMismatch
 */
export function decodeDocument(value: unknown, node: SchemaNode): Decoded {
  const foldedKeys: { path: Path; expected: string }[] = [];
  const folded = foldKeys(value, node, [], (path, expected) => foldedKeys.push({ path, expected }));
  return { value: decodeTyped(folded, node, 'json'), foldedKeys };
}

function foldKeys(
  value: unknown,
  { type, format, properties, items }: SchemaNode,
  path: Path,
  report: (path: Path, expected: string) => void,
): unknown {
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map((each, index) => foldKeys(each, items, [...path, index], report));
  }
  if (type === 'string' && format === 'byte' && typeof value === 'string' && !isBase64(value)) {
    throw new TypeMismatch(path, 'base64 with padding');
  }
  if (!isJsonObject(value) || properties === undefined) return value;
  const result: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const field = Object.hasOwn(properties, key) ? key : fieldOf(key, properties);
    const child = field === undefined ? undefined : properties[field];
    if (field !== undefined && field !== key) {
      report([...path, key], field);
      if (Object.hasOwn(value, field)) continue;
    }
    setKey(result, field ?? key, child === undefined ? member : foldKeys(member, child, [...path, key], report));
  }
  return result;
}

function fieldOf(key: string, properties: Readonly<Record<string, SchemaNode>>): string | undefined {
  const lower = key.toLowerCase();
  return Object.keys(properties).find((field) => field.toLowerCase() === lower);
}
