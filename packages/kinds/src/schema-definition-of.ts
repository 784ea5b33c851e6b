import { Condition } from '@evenkeel/core';
import { schemaDefinition } from './schema-definition.ts';

/**
 * The name of the OpenAPI definition a class stands for; undefined for a class that is not Kubernetes' own, also where
 * it extends one that is.
 */
export function schemaDefinitionOf(type: object): string | undefined {
  if (type === Condition) return 'io.k8s.apimachinery.pkg.apis.meta.v1.Condition';
  return Object.hasOwn(type, schemaDefinition)
    ? (type as { readonly [schemaDefinition]: string })[schemaDefinition]
    : undefined;
}
