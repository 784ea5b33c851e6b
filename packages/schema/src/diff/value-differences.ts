import { goJson, isJsonObject, jsonEqual } from '../evaluate/apimachinery.ts';
import { compileSchema } from '../evaluate/custom-resource/compiled-schema.ts';
import { enforcedFormat } from '../evaluate/format/text-format.ts';
import { checkDepth } from '../evaluate/nesting.ts';
import type { StructuralSchema } from '../evaluate/structural-schema.ts';
import { limitDifferences } from './limit-differences.ts';
import type { KeywordDifference } from './schema-difference.ts';

/**
 * The keywords of `to` itself, without those below it, that can reject values of `from`. Unknown keywords are undecided. Not
 * compared here: the type, which the caller has compared, null, rules, and keywords about fields and their defaults.
 */
export function valueDifferences(from: StructuralSchema, to: StructuralSchema): KeywordDifference[] {
  const found = [...limitDifferences(from, to), ...enumDifferences(from, to), ...undecidedDifferences(from, to)];
  return found.length > 0 && acceptsAllOf(from, to) ? [] : found;
}

/** JSON types that a schema accepts. Undefined: any. */
export function acceptedTypes(schema: StructuralSchema): readonly string[] | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  if (schema.type === undefined || schema.type === '') return undefined;
  return schema.type === 'number' ? ['number', 'integer'] : [schema.type];
}

/** Go compares numbers and strings of enums loosely, so that only values of these types are listed completely. */
const listable: ReadonlySet<string | undefined> = new Set(['string', 'integer', 'boolean']);

/** Whether `from` accepts only a few values, and `to` accepts each of them. */
function acceptsAllOf(from: StructuralSchema, to: StructuralSchema): boolean {
  if (!listable.has(from.type)) return false;
  const values = from.enum ?? (from.type === 'boolean' ? [true, false] : []);
  if (values.length === 0) return false;
  const [source, target] = [from, to].map(checkOf);
  return values.every((value) => source?.(value) === false || target?.(value) === true);
}

/** Returns whether a schema accepts a value, except null. */
function checkOf(schema: StructuralSchema): (value: unknown) => boolean {
  const { default: _default, 'x-kubernetes-validations': _rules, ...bare } = schema;
  const compiled = compileSchema({ type: 'object', properties: { value: bare } });
  return (value) => value !== null && compiled.validate({ value }).length === 0;
}

function enumDifferences({ enum: given = [] }: StructuralSchema, to: StructuralSchema): KeywordDifference[] {
  const { enum: accepted = [] } = to;
  if (accepted.length === 0) return [];
  const texts = new Set(accepted.map((value) => goJson(value)));
  if (given.length > 0 && given.every((value) => texts.has(goJson(value)))) return [];
  return [{ keyword: 'enum', effect: 'invalid', to: accepted, ...(given.length > 0 ? { from: given } : {}) }];
}

/** Keywords that only document, that the API server does not read, or that are compared elsewhere. */
const others: ReadonlySet<string> = new Set([
  ...['title', 'description', 'example', 'externalDocs'],
  ...['x-kubernetes-patch-strategy', 'x-kubernetes-patch-merge-key', 'x-kubernetes-group-version-kind'],
  ...['type', 'nullable', 'default', 'properties', 'required', 'items', 'additionalProperties', 'enum', 'format'],
  ...['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'multipleOf', 'maxLength', 'minLength'],
  ...['maxItems', 'minItems', 'maxProperties', 'minProperties'],
  ...['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'],
  ...['x-kubernetes-list-type', 'x-kubernetes-list-map-keys', 'x-kubernetes-map-type', 'x-kubernetes-validations'],
]);

/** Keywords that are either the same or not comparable, such as patterns and conditions. */
function undecidedDifferences(from: StructuralSchema, to: StructuralSchema): KeywordDifference[] {
  const found: KeywordDifference[] = [];
  for (const [keyword, value] of Object.entries(to)) {
    const given = (from as Record<string, unknown>)[keyword];
    if (others.has(keyword) || value === false || value === '' || isTypeCondition(keyword, to)) continue;
    if (!jsonEqual(value, given)) found.push({ keyword, effect: 'undecided', from: given, to: value });
  }
  if (!isFormatAccepted(from, to))
    found.push({ keyword: 'format', effect: 'undecided', from: from.format, to: to.format });
  return found;
}

/** `anyOf: [{ type: integer }, { type: string }]`, which many CRDs add to int-or-string. */
function isTypeCondition(keyword: string, schema: StructuralSchema): boolean {
  if (keyword !== 'anyOf' || schema['x-kubernetes-int-or-string'] !== true) return false;
  return jsonEqual(schema.anyOf, [{ type: 'integer' }, { type: 'string' }]);
}

/**
 * Whether no value of `from` can violate the format of `to`. For a string with a format, the API server also accepts a list,
 * so that formats of strings must be the same in both directions.
 */
function isFormatAccepted(from: StructuralSchema, to: StructuralSchema): boolean {
  const [given, wanted] = [from, to].map(({ format = '', ...schema }) => enforcedFormat(format, typesOf(schema)));
  if (given === wanted) return given === '' || jsonEqual(acceptedTypes(from), acceptedTypes(to)) || isNumber(from);
  switch (wanted) {
    case 'int32':
      return !limitDifferences(from, { type: 'integer', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 }).some(isOfRange);
    case 'int64':
    case 'double':
      return true;
    case 'float':
      return from.type === 'integer';
    default:
      return wanted === '' && isNumber(from);
  }
}

function isNumber({ type }: StructuralSchema): boolean {
  return type === 'integer' || type === 'number';
}

function isOfRange({ keyword }: KeywordDifference): boolean {
  return keyword === 'maximum' || keyword === 'minimum';
}

function typesOf(schema: StructuralSchema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type ? [schema.type] : [];
}

/** Whether values of a schema can contain objects, whose unspecified fields are pruned. */
export function canHoldFields(schema: StructuralSchema, depth = 0): boolean {
  checkDepth(depth);
  const { type, items, additionalProperties } = schema;
  if (type === 'object' || schema['x-kubernetes-preserve-unknown-fields'] === true) return true;
  return [items, additionalProperties].some(
    (below) => isJsonObject(below) && canHoldFields(below as StructuralSchema, depth + 1),
  );
}
