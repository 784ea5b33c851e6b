export { type FieldMove, moveMistakes } from './field-moves.ts';
export { fieldPathText, type PathStep, parseFieldPath, SharingCopy, valueAtPath } from './field-path.ts';
export { keptPrefix } from './kept-fields.ts';
export { KindConversions } from './kind-conversions.ts';
export { readConversion } from './read-conversion.ts';
export { type CheckedConversion, type ConvertedVersion, VersionConversion } from './version-conversion.ts';
