import type { Definition } from './definition.ts';
import type { SchemaGroupVersionKind } from './schema-node.ts';

/** A schema in an OpenAPI document. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Properties that refer to a type and that upstream does not describe, by definition. */
const undescribed = new Map([
  ['io.k8s.api.networking.v1.IngressRule', ['http']],
  [
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    ['additionalItems', 'additionalProperties', 'example', 'externalDocs', 'items', 'not'],
  ],
]);

/**
 * Returns a definition as under `components.schemas` in `/openapi/v3/GROUP/VERSION`, without descriptions. A document
 * contains the definitions that its paths refer to, directly or indirectly.
 *
 * Definitions of every group (DeleteOptions, WatchEvent) list in a document only the core kind and the kind of that
 * document.
 */
export function openApiV3Schema(
  definitionName: string,
  definition: Definition,
  document: { readonly group: string; readonly version: string },
): OpenApiSchema {
  const isOwn = ({ group, version }: SchemaGroupVersionKind): boolean =>
    (group === '' && version === 'v1') || (group === document.group && version === document.version);
  const kinds = definition['x-kubernetes-group-version-kind'];
  const own =
    kinds === undefined || kinds.length === 1
      ? definition
      : { ...definition, 'x-kubernetes-group-version-kind': kinds.filter(isOwn) };

  const write = (node: Definition, property?: string): OpenApiSchema => {
    const { $ref, properties, items, additionalProperties, 'x-go-omitempty': _, ...keywords } = node;
    if ($ref !== undefined) {
      const reference = { $ref: `#/components/schemas/${$ref}` };
      // Keywords next to a $ref would be ignored, so upstream wraps it. A description is such a keyword, and nearly
      // every property has one.
      const described = property !== undefined && undescribed.get(definitionName)?.includes(property) !== true;
      return described || Object.keys(keywords).length > 0 ? { ...keywords, allOf: [reference] } : reference;
    }
    return { ...keywords, ...children({ properties, items, additionalProperties }, write) };
  };
  return write(own);
}

/**
 * Returns a definition as under `definitions` in `/openapi/v2`, without descriptions. Version 2 has neither `default`
 * nor `oneOf`: IntOrString and Quantity are strings in it.
 */
export function openApiV2Schema(definition: Definition): OpenApiSchema {
  const { $ref, properties, items, additionalProperties, oneOf, ...others } = definition;
  const { default: _, 'x-go-omitempty': __, ...keywords } = others;
  return {
    ...($ref !== undefined && { $ref: `#/definitions/${$ref}` }),
    ...(oneOf !== undefined && { type: 'string' }),
    ...keywords,
    ...children({ properties, items, additionalProperties }, openApiV2Schema),
  };
}

function children(
  node: Pick<Definition, 'properties' | 'items' | 'additionalProperties'>,
  write: (node: Definition, property?: string) => OpenApiSchema,
): OpenApiSchema {
  return {
    ...(node.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(node.properties)
          // The properties are in the order of Go's struct; OpenAPI documents are sorted.
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, property]) => [name, write(property, name)]),
      ),
    }),
    ...(node.items !== undefined && { items: write(node.items) }),
    ...(node.additionalProperties !== undefined && {
      additionalProperties: write(node.additionalProperties),
    }),
  };
}
