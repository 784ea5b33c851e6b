import { isJsonObject, type JsonObject, setKey } from '@evenkeel/apimachinery/json';
import { parseQuantity } from '@evenkeel/apimachinery/quantity';
import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';

type Path = readonly (string | number)[];

/** A value whose type differs from that of its field. */
export class TypeMismatch extends Error {
  override readonly name = 'TypeMismatch';
  readonly path: Path;
  /** Such as `a string`. */
  readonly expected: string;

  constructor(path: Path, expected: string) {
    super(`it must be ${expected}`);
    this.path = path;
    this.expected = expected;
  }
}

const onlyStrings = 'only-strings';
/** A string field of a Go type with a custom decoder, which accepts only strings. */
export const unconverted: SchemaNode = { type: 'string', format: onlyStrings };

const depthMax = 100;

/**
 * Decodes a value into the type that a schema describes, as Go does for a struct. Nulls in lists become the zero value. Unknown fields
 * and null fields are dropped.
 *
 * @param reads `yaml`: numbers and booleans of string fields become strings, as in `minKubeVersion: 1.25` (sigs.k8s.io/yaml).
 * @throws TypeMismatch
 */
export function decodeTyped(value: unknown, node: SchemaNode, reads: 'json' | 'yaml', path: Path = []): unknown {
  if (value === null || value === undefined) return undefined;
  if (path.length > depthMax) throw new TypeMismatch(path, `at most ${depthMax} levels deep`);
  if (node['x-kubernetes-preserve-unknown-fields'] === true) return value;
  if (node['x-kubernetes-int-or-string'] === true) {
    return checked(typeof value === 'string' || isInteger(value), value, path, 'an integer or a string');
  }
  if (node[schemaDefinition]?.endsWith('.resource.Quantity') === true) {
    return checked(isQuantity(value), value, path, 'a quantity such as 100m or 64Mi');
  }
  switch (node.type) {
    case 'string':
      if (reads === 'yaml' && node.format !== onlyStrings && (typeof value === 'number' || typeof value === 'boolean'))
        return String(value);
      return checked(typeof value === 'string', value, path, 'a string');
    case 'boolean':
      return checked(typeof value === 'boolean', value, path, 'true or false');
    case 'integer':
      return checked(isInteger(value), value, path, 'an integer');
    case 'number':
      return checked(typeof value === 'number', value, path, 'a number');
    case 'array':
      if (!Array.isArray(value)) throw new TypeMismatch(path, 'a list');
      return value.map((item: unknown, index) => {
        const items = node.items ?? {};
        return decodeTyped(item, items, reads, [...path, index]) ?? zeroOf(items);
      });
    default:
  }
  const { properties, additionalProperties } = node;
  if (properties === undefined && typeof additionalProperties !== 'object') return value;
  if (!isJsonObject(value)) throw new TypeMismatch(path, 'an object');
  const result: JsonObject = {};
  for (const [name, member] of Object.entries(value)) {
    const child = Object.hasOwn(properties ?? {}, name) ? properties?.[name] : additionalProperties;
    if (typeof child !== 'object') continue;
    const decoded =
      decodeTyped(member, child, reads, [...path, name]) ?? (properties === undefined ? zeroOf(child) : undefined);
    if (decoded !== undefined) setKey(result, name, decoded);
  }
  return result;
}

/**
 * Whether Go's decoder makes its zero value of a decoded value: empty strings, 0, false, and structs whose fields are all zero. Empty
 * lists and maps are not zero.
 */
export function isZeroValue(value: unknown, node: SchemaNode | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (!isJsonObject(value) || node?.properties === undefined) return false;
  const { properties } = node;
  return Object.entries(value).every(
    ([name, member]) => !Object.hasOwn(properties, name) || isZeroValue(member, properties[name]),
  );
}

function checked(isValid: boolean, value: unknown, path: Path, expected: string): unknown {
  if (!isValid) throw new TypeMismatch(path, expected);
  return value;
}

function zeroOf({ type, properties }: SchemaNode): unknown {
  if (properties !== undefined) return {};
  return type === 'string' ? '' : type === 'boolean' ? false : type === 'integer' || type === 'number' ? 0 : undefined;
}

function isQuantity(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && parseQuantity(value) !== undefined);
}

function isInteger(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value);
}
