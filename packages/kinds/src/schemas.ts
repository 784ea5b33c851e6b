export { type Definition, definitionPackageOf, definitionPackages, loadDefinitions } from './definition.ts';
export { type OpenApiSchema, openApiV2Schema, openApiV3Schema } from './openapi-schema.ts';
export { schemaDefinition } from './schema-definition.ts';
export type { SchemaGroupVersionKind, SchemaNode, SchemaUnion, SchemaValidationRule } from './schema-node.ts';
export { schemaOf } from './schema-of.ts';
