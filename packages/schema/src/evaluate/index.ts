export { type CompiledSchema, compileSchema, type ValidateOptions } from './compiled-schema.ts';
export {
  aggregateMessage,
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorText,
  invalidStatus,
  statusCauseOf,
} from './field-error.ts';
export { NestingDepthError } from './nesting.ts';
export type { StructuralSchema, ValidationRule } from './structural-schema.ts';
