// What evaluation takes of apimachinery, by one path: Node resolves the name of a package several times as slowly as a path.
export {
  addErrors,
  aggregateMessage,
  childPath,
  duplicate,
  type FieldError,
  fieldErrorText,
  forbidden,
  internalError,
  invalid,
  keyPath,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
  withinReason,
} from '@evenkeel/apimachinery/field-error';
export { parseGoDuration } from '@evenkeel/apimachinery/go-duration';
export {
  compareText,
  GoPointer,
  GoStruct,
  goFixed,
  goFloat,
  goIntegerError,
  goJson,
  goNumber,
  goQuote,
  goText,
  goTypeOf,
  isPrintable,
  plainDecimal,
  trimRight,
} from '@evenkeel/apimachinery/go-format';
export {
  copyJson,
  hasMembers,
  isInt64,
  isJsonObject,
  type JsonObject,
  jsonEqual,
  setKey,
  valueAt,
} from '@evenkeel/apimachinery/json';
export { applyJsonPatch, JsonPatchError } from '@evenkeel/apimachinery/json-patch';
export { invalidBy, validateLabelSelector } from '@evenkeel/apimachinery/label-rules';
export { requestBytesMax } from '@evenkeel/apimachinery/limits';
export { isDns1123Label, isDns1123Subdomain } from '@evenkeel/apimachinery/name-form';
export {
  asPrefix,
  dns1035LabelErrors,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  labelKeyErrors,
  labelValueErrors,
  nameRule,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
} from '@evenkeel/apimachinery/names';
export { validateObjectMeta } from '@evenkeel/apimachinery/object-meta';
export { objectMetaFields, objectMetaMismatch } from '@evenkeel/apimachinery/object-meta-types';
export { readQuantity } from '@evenkeel/apimachinery/quantity';
export {
  compareSemver,
  parseSemver,
  type SemanticVersion,
  strictSemver,
} from '@evenkeel/apimachinery/semantic-version';
