import type { SchemaNode } from '@evenkeel/kinds/schemas';
import type { StructuralSchema } from '../structural-schema.ts';

/** A kind's schema in the form that expressions of policies see. A type that contains itself stays a cycle, which is followed when it is read. */
export function expressionSchemaOf(schema: SchemaNode): StructuralSchema {
  return structural(schema, new Map());
}

function structural(node: SchemaNode, known: Map<SchemaNode, StructuralSchema>): StructuralSchema {
  const before = known.get(node);
  if (before !== undefined) return before;
  const { type, format, properties, items, additionalProperties } = node;
  const schema: StructuralSchema = {};
  known.set(node, schema);
  if (type !== undefined) schema.type = type as NonNullable<StructuralSchema['type']>;
  if (format !== undefined) schema.format = format;
  if (node['x-kubernetes-int-or-string'] === true) schema['x-kubernetes-int-or-string'] = true;
  if (node['x-kubernetes-embedded-resource'] === true) schema['x-kubernetes-embedded-resource'] = true;
  if (items !== undefined) schema.items = structural(items, known);
  if (typeof additionalProperties === 'object') schema.additionalProperties = structural(additionalProperties, known);
  if (properties !== undefined) {
    const parts = Object.entries(properties).map(([name, part]) => [name, structural(part, known)] as const);
    schema.properties = Object.fromEntries(parts);
  }
  return schema;
}
