import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { specialSchemaOf } from './special-types.ts';

/** A built-in type as a CRD can express it. */
export interface BuiltInSchema {
  readonly schema: StructuralSchema;
  /** Paths below the type, such as `not` or `properties{}`, at which a recursion is cut and any object is accepted. */
  readonly cuts: readonly string[];
}

/**
 * A built-in type as a structural schema: a tree without references, nearly the same as controller-gen 0.23 writes for the
 * Go type.
 *
 * Like controller-gen, this omits the parts of the API server's OpenAPI that only the server uses: enumerations (a later
 * Kubernetes adds values, and for many fields the empty string means an omitted value), merge strategies and unions. There
 * are no descriptions.
 *
 * For all 552 types that both support, these are the differences:
 *
 * - `metadata` below the type keeps names, labels, annotations and finalizers, as with controller-gen's option
 *   generateEmbeddedObjectMeta: without them the API server prunes the labels of a pod template.
 * - Defaults that are Go's zero value (`""`, `0`, `false`) are omitted unless they are keys of a merged list, because they
 *   mean the same as a missing field. controller-gen writes those with a marker in the Go source, 951 times `name: ""`.
 * - Other defaults are those of the API server, including constants that controller-gen does not resolve.
 * - A recursive type is cut at the recursion; controller-gen does not terminate.
 * - Except for conditions, it contains only what is in the API server's OpenAPI. Some lengths in `status` are missing, and
 *   so is the `x-kubernetes-map-type` that controller-gen copies from an embedded struct to the struct around it.
 */
export function structuralSchemaOf(root: SchemaNode): BuiltInSchema {
  const cuts: string[] = [];
  /** The definitions from the root to the node being converted. */
  const above: string[] = [];

  const convert = (node: SchemaNode, at: string): StructuralSchema => {
    const definition = node[schemaDefinition];
    if (definition === undefined) return convertKeywords(node, at);
    const special = specialSchemaOf(definition);
    if (special !== undefined) return special;
    if (above.includes(definition)) {
      cuts.push(at);
      return { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    }
    above.push(definition);
    const schema = convertKeywords(node, at);
    above.pop();
    return schema;
  };

  const convertKeywords = (node: SchemaNode, at: string): StructuralSchema => {
    const schema: StructuralSchema = {};
    for (const keyword of keptKeywords) {
      if (node[keyword] !== undefined) Object.assign(schema, { [keyword]: node[keyword] });
    }
    // Bytes are a list in Go, and marked as a list in APIServiceSpec.caBundle, but a string in JSON.
    if (schema.type !== 'array') delete schema['x-kubernetes-list-type'];
    if (node.required !== undefined) schema.required = [...node.required].sort();
    if (node.properties !== undefined) schema.properties = convertProperties(node, at);
    if (node.items !== undefined) schema.items = convertItems(node, node.items, at);
    if (typeof node.additionalProperties === 'object') {
      schema.additionalProperties = convert(node.additionalProperties, `${at}{}`);
    }
    return schema;
  };

  const convertProperties = (node: SchemaNode, at: string): Record<string, StructuralSchema> => {
    const properties: Record<string, StructuralSchema> = {};
    // By name, as controller-gen writes them. The node has them in the order of Go's struct.
    const sorted = Object.entries(node.properties ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [name, property] of sorted) {
      const schema = convert(property, at === '' ? name : `${at}.${name}`);
      const isRequired = node.required?.includes(name) === true;
      if (!isRequired && !isZero(property.default)) schema.default = property.default;
      properties[name] = schema;
    }
    return properties;
  };

  /** Keys of merged lists must be required or have a default in a CRD; in Go a missing key is empty. */
  const convertItems = (list: SchemaNode, items: SchemaNode, at: string): StructuralSchema => {
    const schema = convert(items, `${at}[]`);
    for (const key of list['x-kubernetes-list-map-keys'] ?? []) {
      const property = schema.properties?.[key];
      if (property === undefined || schema.required?.includes(key) === true) continue;
      property.default ??= items.properties?.[key]?.default ?? '';
    }
    return schema;
  };

  return { schema: convert(root, ''), cuts };
}

const keptKeywords = [
  'type',
  'format',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-preserve-unknown-fields',
] as const satisfies readonly (keyof SchemaNode & keyof StructuralSchema)[];

/** Whether a default is Go's zero value, which the OpenAPI has for fields without `omitempty`. */
function isZero(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}
