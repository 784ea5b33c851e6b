import { type SchemaNode, schemaDefinition } from '@evenkeel/kinds/schemas';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { specialSchemaOf } from './special-types.ts';

/** What a CRD can say of a built-in type. */
export interface BuiltInSchema {
  readonly schema: StructuralSchema;
  /** Paths below the type, such as `not` or `properties{}`, where it contains itself and any object is accepted. */
  readonly cuts: readonly string[];
}

/**
 * A built-in type as a structural schema: a tree without references, nearly as controller-gen 0.23 writes it of the same
 * Go type.
 *
 * As it does, this leaves out what the API server's OpenAPI says for the server's own use: enumerations (a later
 * Kubernetes adds values, and for many fields the empty string means that they were left out), merge strategies and
 * unions. There are no descriptions.
 *
 * It differs in these, over all 552 types that both know:
 *
 * - `metadata` below the type keeps names, labels, annotations and finalizers, as with controller-gen's option
 *   generateEmbeddedObjectMeta: without them the API server prunes the labels of a pod template.
 * - Defaults that are Go's zero value (`""`, `0`, `false`) are left out where no list is merged by them: they say what a
 *   missing field says. controller-gen writes those for which the Go source has a marker, 951 times `name: ""`.
 * - Other defaults are those of the API server, which knows constants that controller-gen does not follow.
 * - A type that contains itself is cut where it does; controller-gen finds no end.
 * - It says only what the API server's OpenAPI says, apart from conditions: some lengths in `status` and the
 *   `x-kubernetes-map-type` that controller-gen hands from an embedded struct to the one around it are not there.
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
    // Bytes are a list in Go, and marked as one in APIServiceSpec.caBundle, but a string in JSON.
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
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      const schema = convert(property, at === '' ? name : `${at}.${name}`);
      const isRequired = node.required?.includes(name) === true;
      if (!isRequired && !isZero(property.default)) schema.default = property.default;
      properties[name] = schema;
    }
    return properties;
  };

  /** A CRD's lists are merged only by keys that are required or have a default; in Go a missing key is an empty one. */
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

/** What Go has in a field that nobody set: the OpenAPI of fields without `omitempty` names it as their default. */
function isZero(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}
