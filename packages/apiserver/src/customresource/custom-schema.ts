import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { JsonSchemaProps } from '@evenkeel/schema/evaluate';

/**
 * Returns the schema of a custom kind as a graph for managed fields and apply. The root and embedded resources include
 * the apiVersion, kind and metadata that every object has. `properties` objects have no prototype, so any name can be
 * looked up in them.
 *
 * Source: `buildKubeNative` and `addEmbeddedProperties`, apiextensions-apiserver `pkg/controller/openapi/builder`.
 */
export function customSchemaNode(schema: JsonSchemaProps | undefined, objectMeta: SchemaNode): SchemaNode {
  const root =
    schema === undefined
      ? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
      : linkSchema(schema, objectMeta);
  return withTypeMeta(root, objectMeta);
}

function linkSchema(schema: JsonSchemaProps, objectMeta: SchemaNode): SchemaNode {
  const { properties, items, additionalProperties, ...keywords } = schema;
  const node = {
    ...keywords,
    ...(properties === undefined ? {} : { properties: linkProperties(properties, objectMeta) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: linkSchema(items as JsonSchemaProps, objectMeta) }),
    ...(additionalProperties === undefined
      ? {}
      : {
          additionalProperties:
            typeof additionalProperties === 'object'
              ? linkSchema(additionalProperties, objectMeta)
              : additionalProperties,
        }),
  } as SchemaNode;
  return schema['x-kubernetes-embedded-resource'] === true ? withTypeMeta(node, objectMeta) : node;
}

function linkProperties(
  properties: Readonly<Record<string, JsonSchemaProps>>,
  objectMeta: SchemaNode,
): Readonly<Record<string, SchemaNode>> {
  const linked: Record<string, SchemaNode> = Object.create(null);
  for (const [name, property] of Object.entries(properties)) linked[name] = linkSchema(property, objectMeta);
  return linked;
}

const text: SchemaNode = { type: 'string' };

function withTypeMeta(node: SchemaNode, objectMeta: SchemaNode): SchemaNode {
  const properties: Record<string, SchemaNode> = Object.assign(Object.create(null), node.properties);
  properties['apiVersion'] = text;
  properties['kind'] = text;
  properties['metadata'] = objectMeta;
  return { ...node, properties };
}
