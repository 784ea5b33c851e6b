import { Condition } from '@evenkeel/core';
import { schemaDefinition } from './schema-definition.ts';

/**
 * Returns the name of a built-in class's OpenAPI definition; undefined for other classes, including those that extend a
 * built-in class.
 */
export function schemaDefinitionOf(type: object): string | undefined {
  if (type === Condition) return 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition';
  return Object.hasOwn(type, schemaDefinition)
    ? (type as { readonly [schemaDefinition]: string })[schemaDefinition]
    : undefined;
}
