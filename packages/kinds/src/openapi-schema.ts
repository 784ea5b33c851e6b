import type { Definition } from './definition.ts';
import type { Description } from './descriptions.ts';
import type { SchemaGroupVersionKind } from './schema-node.ts';

/** A schema in an OpenAPI document. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/**
 * Returns a definition as under `components.schemas` in `/openapi/v3/GROUP/VERSION`. A document contains the definitions
 * that its paths refer to, directly or indirectly.
 *
 * Definitions of every group (DeleteOptions, WatchEvent) list in a document only the core kind and the kind of that
 * document.
 */
export function openApiV3Schema(
  definition: Definition,
  description: Description | undefined,
  document: { readonly group: string; readonly version: string },
): OpenApiSchema {
  const isOwn = ({ group, version }: SchemaGroupVersionKind): boolean =>
    (group === '' && version === 'v1') || (group === document.group && version === document.version);
  const kinds = definition['x-kubernetes-group-version-kind'];
  const own =
    kinds === undefined || kinds.length === 1
      ? definition
      : { ...definition, 'x-kubernetes-group-version-kind': kinds.filter(isOwn) };

  const write = (node: Definition, describe: Describe): OpenApiSchema => {
    const { $ref, properties, items, additionalProperties, 'x-go-omitempty': _, ...others } = node;
    const keywords = { ...describe.own, ...others };
    if ($ref !== undefined) {
      const reference = { $ref: `#/components/schemas/${$ref}` };
      // Keywords next to a $ref would be ignored, so upstream wraps it. A description is such a keyword.
      return Object.keys(keywords).length > 0 ? { ...keywords, allOf: [reference] } : reference;
    }
    return { ...keywords, ...children({ properties, items, additionalProperties }, describe, write) };
  };
  return write(own, describing(description));
}

/**
 * Returns a definition as under `definitions` in `/openapi/v2`. Version 2 has neither `default` nor `oneOf`: IntOrString and
 * Quantity are strings in it.
 */
export function openApiV2Schema(definition: Definition, description: Description | undefined): OpenApiSchema {
  const write = (node: Definition, describe: Describe): OpenApiSchema => {
    const { $ref, properties, items, additionalProperties, oneOf, ...others } = node;
    const { default: _, 'x-go-omitempty': __, ...keywords } = others;
    return {
      ...describe.own,
      ...($ref !== undefined && { $ref: `#/definitions/${$ref}` }),
      ...(oneOf !== undefined && { type: 'string' }),
      ...keywords,
      ...children({ properties, items, additionalProperties }, describe, write),
    };
  };
  return write(definition, describing(description));
}

/** The descriptions of a node: only definitions and their properties have one. */
interface Describe {
  readonly own: { readonly description?: string };
  readonly property: (name: string) => string | undefined;
}

const undescribed: Describe = { own: {}, property: () => undefined };

function describing(description: Description | undefined): Describe {
  if (description === undefined) return undescribed;
  const { own, properties } = description;
  return { own: own === '' ? {} : { description: own }, property: (name) => properties.get(name) };
}

function children(
  node: Pick<Definition, 'properties' | 'items' | 'additionalProperties'>,
  describe: Describe,
  write: (node: Definition, describe: Describe) => OpenApiSchema,
): OpenApiSchema {
  const describeProperty = (name: string): Describe => {
    const description = describe.property(name);
    return description === undefined ? undescribed : { ...undescribed, own: { description } };
  };
  return {
    ...(node.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(node.properties)
          // The properties are in the order of Go's struct; OpenAPI documents are sorted.
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, property]) => [name, write(property, describeProperty(name))]),
      ),
    }),
    ...(node.items !== undefined && { items: write(node.items, undescribed) }),
    ...(node.additionalProperties !== undefined && {
      additionalProperties: write(node.additionalProperties, undescribed),
    }),
  };
}
