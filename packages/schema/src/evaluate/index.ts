export {
  aggregateMessage,
  type FieldError,
  type FieldErrorType,
  fieldErrorBody,
  fieldErrorText,
  invalidStatus,
  statusCauseOf,
} from '@evenkeel/apimachinery/field-error';
export { AdmissionActivation, type AdmissionInput } from './admission/admission-activation.ts';
export { AdmissionCompiler } from './admission/admission-compiler.ts';
export {
  type AnyPolicy,
  type AnyPolicyBinding,
  admissionPolicyBindingErrors,
  admissionPolicyErrors,
} from './admission/bound-policy.ts';
export { defaultAdmissionPolicy, defaultPolicyBinding } from './admission/default-policy.ts';
export { expressionSchemaOf } from './admission/expression-schema.ts';
export { type Match, MatchConditions } from './admission/match-conditions.ts';
export { MutatingPolicy } from './admission/mutating-policy.ts';
export { mutatingPolicyBindingErrors, mutatingPolicyErrors } from './admission/mutating-policy-errors.ts';
export { type PatchOperation, patchedByOperations } from './admission/patch-result.ts';
export type { ParamKind } from './admission/policy-parameter-errors.ts';
export {
  type CheckedType,
  type ExpressionWarning,
  policyWarnings,
} from './admission/policy-type-check.ts';
export { ruleEvaluator } from './admission/rule-evaluator.ts';
export { ValidatingPolicy } from './admission/validating-policy.ts';
export { validatingPolicyBindingErrors, validatingPolicyErrors } from './admission/validating-policy-errors.ts';
export { webhookErrors } from './admission/webhook-errors.ts';
export { caBundleCertificates } from './apiextensions/ca-bundle.ts';
export { type CheckedDefinition, checkCustomResourceDefinition } from './apiextensions/check-crd.ts';
export { hasInvalidCaBundle, reviewVersionErrors, webhookAddressErrors } from './apiextensions/conversion-rules.ts';
export type { CustomResourceDefinition, JsonSchemaProps } from './apiextensions/custom-resource-definition.ts';
export { type DecodedDefinition, decodeCustomResourceDefinition } from './apiextensions/decode-crd.ts';
export { defaultCustomResourceDefinition } from './apiextensions/default-crd.ts';
export { unrecognizedFormats } from './apiextensions/unrecognized-formats.ts';
export { validateCustomResourceDefinition } from './apiextensions/validate-crd.ts';
export type { AccessCheck, AccessDecision, Authorize, ResourceAccess } from './cel/library/authorizer.ts';
export { CelError } from './cel/value/fault.ts';
export {
  type CompiledSchema,
  type CompileOptions,
  compileSchema,
  type ValidateOptions,
} from './custom-resource/compiled-schema.ts';
export type { ScalePaths } from './custom-resource/scale-values.ts';
export { isRequestUri } from './format/url.ts';
export { JsonPathError, type PathStep, parseJsonPath } from './json-path-parser.ts';
export { LimitError, NestingDepthError } from './nesting.ts';
export type { StructuralSchema, ValidationRule } from './structural-schema.ts';
