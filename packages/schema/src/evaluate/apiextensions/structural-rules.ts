import { compilePattern } from '../../regular-expression/pattern.ts';
import {
  childPath,
  type FieldError,
  fieldErrorText,
  forbidden,
  hasMembers,
  invalid,
  jsonEqual,
  keyPath,
  required,
  withinReason,
} from '../apimachinery.ts';
import {
  additionalSchema,
  itemSchema,
  type JsonSchemaProps,
  propertyOf,
  subSchemas,
} from './custom-resource-definition.ts';

type Level = 'root' | 'items' | 'field';

const missingType: Record<Level, string> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

/**
 * The reasons why a schema is not structural, sorted by message. In a structural schema every value has one type, and
 * conditions (allOf, anyOf, oneOf, not) only restrict what is specified outside of them
 * (apiextensions-apiserver pkg/apiserver/schema/validation.go and complete.go).
 */
export function structuralErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const errors: FieldError[] = [];
  checkNode(schema, 'root', path, errors);
  checkCompleteness(schema, schema, path, path, errors);
  return withinReason(errors)
    .map((error) => ({ error, text: fieldErrorText(error) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

/** The reason why the schema cannot be converted to a structural schema; undefined if it can. */
export function unsupportedKeyword(schema: JsonSchemaProps): string | undefined {
  for (const part of subSchemas(schema)) {
    if (part.id) return "OpenAPIV3Schema 'id' is not supported";
    if (part.$schema) return "OpenAPIV3Schema 'schema' is not supported";
    if (part.$ref) return "OpenAPIV3Schema '$ref' is not supported";
    if (hasMembers(part.patternProperties)) return "OpenAPIV3Schema 'patternProperties' is not supported";
    if (hasMembers(part.dependencies)) return "OpenAPIV3Schema 'dependencies' is not supported";
    if (part.additionalItems !== undefined) return "OpenAPIV3Schema 'additionalItems' is not supported";
    if (hasMembers(part.definitions)) return "OpenAPIV3Schema 'definitions' is not supported";
    if (part['x-kubernetes-preserve-unknown-fields'] === false) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    if (Array.isArray(part.items) && part.items.length > 0) {
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
  }
  return undefined;
}

function checkNode(schema: JsonSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  const type = schema.type ?? '';
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  const isIntOrString = schema['x-kubernetes-int-or-string'] === true;
  const preserves = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const items = itemSchema(schema);
  const at = (name: string) => childPath(path, name);

  if (type === 'array' && items === undefined) errors.push(required(at('items'), 'must be specified'));
  if (items !== undefined) checkNode(items, 'items', at('items'), errors);
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    checkNode(property, 'field', keyPath(at('properties'), name), errors);
  }
  if (schema.additionalProperties !== undefined) {
    if (level === 'root') errors.push(forbidden(at('additionalProperties'), 'must not be used at the root'));
    const additional = additionalSchema(schema);
    if (additional !== undefined) checkNode(additional, 'field', at('additionalProperties'), errors);
  }
  if (isIntOrString) {
    for (const extension of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
      const detail = 'must be false if x-kubernetes-int-or-string is true';
      if (schema[extension] === true) errors.push(invalid(at(extension), true, detail));
    }
  }
  const skipped = { anyOf: isIntOrStringPattern(schema), firstAllOf: isIntOrStringPattern(schema.allOf?.[0]) };
  checkConditions(schema, skipped, path, errors);

  if (isEmbedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(type === '' ? required(at('type'), detail) : invalid(at('type'), type, detail));
  } else if (type === '' && !isIntOrString && !preserves) {
    errors.push(required(at('type'), missingType[level]));
  }
  if (isEmbedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(forbidden(at('additionalProperties'), detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(invalid(at('type'), type, 'must be object at the root'));
  }
  checkMeta(schema, level, path, errors);
  if (isEmbedded && !preserves && !hasMembers(schema.properties)) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(required(at('properties'), detail));
  }
}

/** Checks the schemas of apiVersion, kind and metadata of a resource. The root may restrict only names in the metadata. */
function checkMeta(schema: JsonSchemaProps, level: Level, path: string, errors: FieldError[]): void {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const at = (name: string) => keyPath(childPath(path, 'properties'), name);
  for (const name of ['kind', 'apiVersion']) {
    const property = propertyOf(schema, name);
    if (isResource && property !== undefined && property.type !== 'string') {
      errors.push(invalid(childPath(at(name), 'type'), property.type ?? '', 'must be string'));
    }
  }
  const metadata = propertyOf(schema, 'metadata');
  if (metadata === undefined) return;
  if (isResource && metadata.type !== 'object') {
    errors.push(invalid(childPath(at('metadata'), 'type'), metadata.type ?? '', 'must be object'));
  }
  if (level !== 'root') return;
  const { type: _type, default: _default, properties, ...rest } = metadata;
  const isNamesOnly = Object.keys(properties ?? {}).every((name) => name === 'name' || name === 'generateName');
  const isOther = ([name, value]: [string, unknown]) =>
    value !== undefined && (value !== false || name === 'additionalProperties');
  if (!isNamesOnly || Object.entries(withoutEmpty(rest)).some(isOther)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(forbidden(at('metadata'), detail));
  }
}

/** `anyOf: [{type: integer}, {type: string}]`: the only conditions that may have types. */
function isIntOrStringPattern(schema: JsonSchemaProps | undefined): boolean {
  return jsonEqual(schema?.anyOf?.map(asBranch), [{ type: 'integer' }, { type: 'string' }]);
}

/** The parts of additional properties that a condition keeps. */
function asBranch({ additionalProperties, ...rest }: JsonSchemaProps): object {
  return withoutEmpty(additionalProperties === false ? rest : { ...rest, additionalProperties });
}

/**
 * Lists that the API server copies item by item before it compares them, and maps that it does not copy: empty counts as
 * missing.
 */
const noneIfEmpty: ReadonlySet<string> = new Set([
  ...['enum', 'allOf', 'anyOf', 'oneOf'],
  ...['definitions', 'dependencies', 'patternProperties'],
]);

/** The schema as the API server compares it: `items` without a schema and an empty `$ref` count as missing. */
function withoutEmpty(schema: JsonSchemaProps): object {
  return Object.fromEntries(
    Object.entries(schema).filter(([name, value]) => {
      if (name === 'items') return itemSchema(schema) !== undefined;
      return name !== '$ref' && !(noneIfEmpty.has(name) && Object.keys(value ?? {}).length === 0);
    }),
  );
}

interface Skipped {
  readonly anyOf: boolean;
  readonly firstAllOf: boolean;
}

function checkConditions(schema: JsonSchemaProps, skipped: Skipped, path: string, errors: FieldError[]): void {
  if (!skipped.anyOf) {
    schema.anyOf?.forEach((branch, i) => {
      checkBranch(branch, false, keyPath(childPath(path, 'anyOf'), i), errors);
    });
  }
  schema.allOf?.forEach((branch, i) => {
    checkBranch(branch, skipped.firstAllOf && i === 0, keyPath(childPath(path, 'allOf'), i), errors);
  });
  schema.oneOf?.forEach((branch, i) => {
    checkBranch(branch, false, keyPath(childPath(path, 'oneOf'), i), errors);
  });
  if (schema.not !== undefined) checkBranch(schema.not, false, childPath(path, 'not'), errors);
  const reason = schema.pattern ? compilePattern(schema.pattern) : undefined;
  if (typeof reason === 'string') {
    const detail = `must be a valid regular expression, but isn't: ${reason}`;
    errors.push(invalid(childPath(path, 'pattern'), schema.pattern, detail));
  }
}

/** The keywords that a condition must not have, with the text after "must be" in the error. */
const forbiddenInBranch = [
  ['type', 'empty'],
  ['default', 'undefined'],
  ['title', 'empty'],
  ['description', 'empty'],
  ['nullable', 'false'],
  ['x-kubernetes-preserve-unknown-fields', 'false'],
  ['x-kubernetes-embedded-resource', 'false'],
  ['x-kubernetes-int-or-string', 'false'],
  ['x-kubernetes-list-map-keys', 'empty'],
  ['x-kubernetes-list-type', 'undefined'],
  ['x-kubernetes-map-type', 'undefined'],
  ['x-kubernetes-validations', 'empty'],
] as const;

function checkBranch(branch: JsonSchemaProps, skipsAnyOf: boolean, path: string, errors: FieldError[]): void {
  checkConditions(branch, { anyOf: skipsAnyOf, firstAllOf: false }, path, errors);
  const items = itemSchema(branch);
  if (items !== undefined) checkBranch(items, false, childPath(path, 'items'), errors);
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    checkBranch(property, false, keyPath(childPath(path, 'properties'), name), errors);
  }
  if (branch.additionalProperties !== undefined && branch.additionalProperties !== false) {
    errors.push(forbidden(childPath(path, 'additionalProperties'), 'must be undefined to be structural'));
  }
  for (const [keyword, expected] of forbiddenInBranch) {
    const value = branch[keyword];
    const isSaid = keyword === 'default' ? (value ?? null) !== null : isSaidAt(keyword, value);
    if (isSaid) errors.push(forbidden(childPath(path, keyword), `must be ${expected} to be structural`));
  }
  if (propertyOf(branch, 'metadata') !== undefined) {
    const metadata = keyPath(childPath(path, 'properties'), 'metadata');
    errors.push(forbidden(metadata, 'must not be specified in a nested context'));
  }
}

/** Whether a keyword has a value. Empty lists and false do not count; an empty list type or map type does. */
function isSaidAt(keyword: string, value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  const isType = keyword === 'x-kubernetes-list-type' || keyword === 'x-kubernetes-map-type';
  return value !== undefined && value !== false && (isType || value !== '');
}

/** Everything that a condition names must also be specified outside of it. */
function checkCompleteness(
  condition: JsonSchemaProps,
  schema: JsonSchemaProps,
  schemaPath: string,
  conditionPath: string,
  errors: FieldError[],
): void {
  const at = (name: string, i: number) => keyPath(childPath(conditionPath, name), i);
  const check = (branch: JsonSchemaProps, path: string) => {
    checkBranchCompleteness(branch, schema, schemaPath, path, errors);
  };
  if (condition.not !== undefined) check(condition.not, childPath(conditionPath, 'not'));
  for (const keyword of ['allOf', 'anyOf', 'oneOf'] as const) {
    condition[keyword]?.forEach((branch, i) => {
      check(branch, at(keyword, i));
    });
  }
}

function checkBranchCompleteness(
  branch: JsonSchemaProps,
  schema: JsonSchemaProps | undefined,
  schemaPath: string,
  branchPath: string,
  errors: FieldError[],
): void {
  if (schema === undefined) {
    errors.push(required(schemaPath, `because it is defined in ${branchPath}`));
    return;
  }
  checkCompleteness(branch, schema, schemaPath, branchPath, errors);
  const items = itemSchema(branch);
  if (items !== undefined) {
    const at = (path: string) => childPath(path, 'items');
    checkBranchCompleteness(items, itemSchema(schema), at(schemaPath), at(branchPath), errors);
  }
  for (const [name, property] of Object.entries(branch.properties ?? {})) {
    const at = (path: string) => keyPath(childPath(path, 'properties'), name);
    checkBranchCompleteness(property, propertyOf(schema, name), at(schemaPath), at(branchPath), errors);
  }
}
