/**
 * CRDs from classes, their validation, and comparisons of CRDs.
 *
 * @module @evenkeel/schema
 */

// For generating CRDs from classes.

export type { ValidatorGroups } from './constraints/constraint-metadata.ts';
export { withConversionWebhook } from './definition/conversion-webhook.ts';
export { definitionFields, definitionFieldsModule } from './definition/definition-fields.ts';
export type { LossyWrites } from './definition/lossy-writes.ts';
export {
  compareDefinitions,
  type DefinitionChange,
  type DefinitionCheck,
  definitionChecks,
} from './diff/compare-definitions.ts';
export { compareSchemas } from './diff/compare-schemas.ts';
export type { DifferenceEffect, KeywordDifference, SchemaDifference } from './diff/schema-difference.ts';
export type { StructuralSchema, ValidationRule } from './evaluate/structural-schema.ts';
export { type Finding, findingText, type SourceLocation, throwOnErrors } from './finding/finding.ts';
export {
  customResourceDefinitionOf,
  customResourcesIn,
  type Generation,
  type GenerationOptions,
  generateCustomResourceDefinitions,
} from './generate/generate.ts';
export { ClassSources, type ReadSourcesOptions, type WrittenClass } from './source/class-sources.ts';
export { OxcSourceReader } from './source/oxc-source-reader.ts';
export { readSources } from './source/read-sources.ts';
export type { SourceFile, SourceReader } from './source/source-file.ts';
export { type Validation, type ValidationError, type ValidationOptions, validate } from './validate/validate.ts';
export { customResourceDefinitionFileName, customResourceDefinitionYaml, objectYaml } from './yaml/yaml.ts';
