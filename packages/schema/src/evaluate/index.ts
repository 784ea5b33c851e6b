export {
  aggregateMessage,
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorText,
  invalidStatus,
  statusCauseOf,
} from '@evenkeel/apimachinery/field-error';
export { type CompiledSchema, type CompileOptions, compileSchema, type ValidateOptions } from './compiled-schema.ts';
export { type CheckedDefinition, checkCustomResourceDefinition } from './crd/check-crd.ts';
export type { CustomResourceDefinition, JsonSchemaProps } from './crd/custom-resource-definition.ts';
export { type DecodedDefinition, decodeCustomResourceDefinition } from './crd/decode-crd.ts';
export { defaultCustomResourceDefinition } from './crd/default-crd.ts';
export { unrecognizedFormats } from './crd/unrecognized-formats.ts';
export { validateCustomResourceDefinition } from './crd/validate-crd.ts';
export { JsonPathError, type PathStep, parseJsonPath } from './json-path-parser.ts';
export { LimitError, NestingDepthError } from './nesting.ts';
export type { ScalePaths } from './scale-values.ts';
export type { StructuralSchema, ValidationRule } from './structural-schema.ts';
