import type { Definition } from './definition.ts';
import type { SchemaGroupVersionKind } from './schema-node.ts';

/** A schema as an OpenAPI document writes it. */
export type OpenApiSchema = Readonly<Record<string, unknown>>;

/** Properties that refer to a type and that upstream has no words for, by definition. */
const undescribed = new Map([
  ['io.k8s.api.networking.v1.IngressRule', ['http']],
  [
    'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
    ['additionalItems', 'additionalProperties', 'example', 'externalDocs', 'items', 'not'],
  ],
]);

/**
 * A definition as `/openapi/v3/GROUP/VERSION` has it under `components.schemas`, without descriptions. A document holds
 * the definitions that its paths refer to, directly or not.
 *
 * Definitions that belong to every group (DeleteOptions, WatchEvent) name in one document only the core kind and that
 * document's own.
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
    const { $ref, properties, items, additionalProperties, ...keywords } = node;
    if ($ref !== undefined) {
      const reference = { $ref: `#/components/schemas/${$ref}` };
      // Keywords beside a $ref would be ignored, so upstream wraps it; a description is one, and nearly every property
      // has one.
      const described = property !== undefined && undescribed.get(definitionName)?.includes(property) !== true;
      return described || Object.keys(keywords).length > 0 ? { ...keywords, allOf: [reference] } : reference;
    }
    return { ...keywords, ...children({ properties, items, additionalProperties }, write) };
  };
  return write(own);
}

/**
 * A definition as `/openapi/v2` has it under `definitions`, without descriptions. Version 2 knows neither `default` nor
 * `oneOf`: IntOrString and Quantity are strings in it.
 */
export function openApiV2Schema(definition: Definition): OpenApiSchema {
  const { $ref, properties, items, additionalProperties, default: _, oneOf, ...keywords } = definition;
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
        Object.entries(node.properties).map(([name, property]) => [name, write(property, name)]),
      ),
    }),
    ...(node.items !== undefined && { items: write(node.items) }),
    ...(node.additionalProperties !== undefined && {
      additionalProperties: write(node.additionalProperties),
    }),
  };
}
