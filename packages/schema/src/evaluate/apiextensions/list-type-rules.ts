import {
  addErrors,
  childPath,
  type FieldError,
  forbidden,
  invalid,
  keyPath,
  notSupported,
  required,
} from '../apimachinery.ts';
import { isSchemaList, itemSchema, type JsonSchemaProps, propertyOf } from './custom-resource-definition.ts';

/** Errors about lists that are ignored if the old object had them. */
export interface ListTypeLeniency {
  readonly allowsNonAtomicSets: boolean;
  readonly allowsLooseListMaps: boolean;
}

/** The errors of a schema's `x-kubernetes-list-type` and `x-kubernetes-list-map-keys`. */
export function listTypeErrors(schema: JsonSchemaProps, path: string, leniency: ListTypeLeniency): FieldError[] {
  const errors: FieldError[] = [];
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const at = (keyword: string) => childPath(path, keyword);
  if (listType !== undefined && schema.type !== 'array') {
    const detail = 'must be array if x-kubernetes-list-type is specified';
    errors.push(schema.type ? invalid(at('type'), schema.type, detail) : required(at('type'), detail));
  } else if (!leniency.allowsNonAtomicSets) {
    addErrors(errors, nonAtomicSetErrors(schema, path));
  }
  if (listType !== undefined && !['atomic', 'set', 'map'].includes(listType)) {
    errors.push(notSupported(at('x-kubernetes-list-type'), listType, ['atomic', 'set', 'map']));
  }
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const field = at('x-kubernetes-list-type');
    errors.push(listType === undefined ? required(field, detail) : invalid(field, listType, detail));
  }
  if (listType === 'map') addErrors(errors, mapKeyErrors(schema, keys, path));
  if (!leniency.allowsLooseListMaps) addErrors(errors, looseListMapErrors(schema, path));
  return errors;
}

/** Items of a set are compared as a whole, so they must be atomic. */
export function nonAtomicSetErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const items = itemSchema(schema);
  if (schema['x-kubernetes-list-type'] !== 'set' || items === undefined) return [];
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const at = (keyword: string) => childPath(childPath(path, 'items'), keyword);
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [invalid(at('x-kubernetes-list-type'), listType, detail)];
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [invalid(at('x-kubernetes-map-type'), listType ?? null, detail)];
  }
  return [];
}

function mapKeyErrors(schema: JsonSchemaProps, keys: readonly string[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const items = itemSchema(schema);
  const at = (keyword: string) => childPath(path, keyword);
  const keysPath = at('x-kubernetes-list-map-keys');
  if (keys.length === 0) errors.push(required(keysPath, 'must not be empty if x-kubernetes-list-type is map'));
  if (schema.items === undefined) {
    errors.push(required(at('items'), 'must have a schema if x-kubernetes-list-type is map'));
  } else if (isSchemaList(schema.items)) {
    errors.push(invalid(at('items'), schema.items, 'must only have a single schema if x-kubernetes-list-type is map'));
  }
  if (items === undefined) return errors;
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(invalid(childPath(at('items'), 'type'), items.type ?? '', detail));
    return errors;
  }
  const seen = new Set<string>();
  // Each of these errors contains all keys, so that many keys would fill the memory.
  const shown = keys.length > 100 ? 'so many keys' : keys;
  keys.forEach((key) => {
    const property = propertyOf(items, key);
    if (property === undefined) {
      errors.push(invalid(keysPath, shown, 'entries must all be names of item properties'));
    } else if (property.type === 'array' || property.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(invalid(childPath(itemPropertyPath(path, key), 'type'), items.type, detail));
    }
    if (seen.size === seen.add(key).size) {
      errors.push(invalid(keysPath, shown, 'must not contain duplicate entries'));
    }
  });
  return errors;
}

/** Items of sets and maps must not be null, and keys of a map's items must be present. */
export function looseListMapErrors(schema: JsonSchemaProps, path: string): FieldError[] {
  const items = itemSchema(schema);
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'set' && listType !== 'map')) return [];
  const errors: FieldError[] = [];
  if (items.nullable === true) {
    const field = childPath(childPath(path, 'items'), 'nullable');
    errors.push(forbidden(field, `cannot be nullable when x-kubernetes-list-type is ${listType}`));
  }
  if (listType !== 'map') return errors;
  const isRequired = new Set(items.required);
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const property = propertyOf(items, key);
    if (property === undefined) continue;
    const at = itemPropertyPath(path, key);
    const reason = 'this property is in x-kubernetes-list-map-keys, so it';
    if (!isRequired.has(key) && (property.default === undefined || property.default === null)) {
      errors.push(required(childPath(at, 'default'), `${reason} must have a default or be a required property`));
    }
    if (property.nullable === true) errors.push(forbidden(childPath(at, 'nullable'), `${reason} cannot be nullable`));
  }
  return errors;
}

function itemPropertyPath(path: string, name: string): string {
  return keyPath(childPath(childPath(path, 'items'), 'properties'), name);
}
