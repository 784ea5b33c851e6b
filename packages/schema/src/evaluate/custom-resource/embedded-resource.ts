import {
  addErrors,
  childPath,
  dns1035LabelErrors,
  type FieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  keyPath,
  objectMetaMismatch,
  pathSegmentErrors,
  pathSegmentPrefixErrors,
  required,
  validateObjectMeta,
  valueAt,
} from '../apimachinery.ts';
import { checkDepth } from '../nesting.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The errors of apiVersion, kind and metadata of embedded resources (`x-kubernetes-embedded-resource`), as in
 * apiextensions-apiserver pkg/apiserver/schema/objectmeta/validation.go. With `isRoot` the value itself is a resource.
 */
export function validateEmbedded(value: unknown, node: SchemaNode, path = '', isRoot = false): FieldError[] {
  const errors: FieldError[] = [];
  walk(value, node, path, isRoot, errors, 0);
  return errors;
}

/** The first apiVersion, kind or metadata of the wrong type. */
export function embeddedMismatch(value: unknown, node: SchemaNode, path: string, isRoot: boolean): FieldError[] {
  const errors: FieldError[] = [];
  walk(value, node, path, isRoot, errors, 0, addMismatches);
  return errors.slice(0, 1);
}

function walk(
  value: unknown,
  node: SchemaNode,
  path: string,
  isRoot: boolean,
  errors: FieldError[],
  depth: number,
  check = checkResource,
): void {
  if (typeof value !== 'object' || value === null || !(isRoot || node.reaches('embedded'))) return;
  checkDepth(depth);
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) walk(value[i], items, keyPath(path, i), false, errors, depth + 1, check);
  } else if (isJsonObject(value)) {
    if (isRoot || node.embedded) check(value, path, errors);
    const { properties, additional } = node;
    for (const key of Object.keys(value)) {
      const property = properties.get(key);
      if (property !== undefined) walk(value[key], property, childPath(path, key), false, errors, depth + 1, check);
      else if (additional !== undefined)
        walk(value[key], additional, keyPath(path, key), false, errors, depth + 1, check);
    }
  }
}

function addMismatches(resource: JsonObject, path: string, errors: FieldError[]): void {
  for (const key of ['apiVersion', 'kind']) {
    const value = valueAt(resource, key);
    if (value !== undefined && typeof value !== 'string') {
      errors.push(invalid(childPath(path, key), value, 'must be a string'));
    }
  }
  const metadata = valueAt(resource, 'metadata');
  const mismatch = metadata === undefined || metadata === null ? undefined : objectMetaMismatch(metadata);
  if (mismatch !== undefined) errors.push(invalid(childPath(path, 'metadata'), metadata, mismatch));
}

function checkResource(resource: JsonObject, path: string, errors: FieldError[]): void {
  const apiVersion = valueAt(resource, 'apiVersion');
  const kind = valueAt(resource, 'kind');
  const apiVersionPath = childPath(path, 'apiVersion');
  const kindPath = childPath(path, 'kind');
  if (apiVersion === undefined) errors.push(required(apiVersionPath));
  if (kind === undefined) errors.push(required(kindPath));
  if (apiVersion !== undefined) {
    if (typeof apiVersion !== 'string') errors.push(invalid(apiVersionPath, apiVersion, 'must be a string'));
    else if (apiVersion === '') errors.push(invalid(apiVersionPath, apiVersion, 'must not be empty'));
    else if (apiVersion.split('/').length > 2) {
      errors.push(invalid(apiVersionPath, apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
    }
  }
  if (kind !== undefined) {
    if (typeof kind !== 'string') errors.push(invalid(kindPath, kind, 'must be a string'));
    else if (kind === '') errors.push(invalid(kindPath, kind, 'must not be empty'));
    else {
      const reasons = dns1035LabelErrors(kind.toLowerCase());
      const detail = `may have mixed case, but should otherwise match: ${reasons.join(',')}`;
      if (reasons.length > 0) errors.push(invalid(kindPath, kind, detail));
    }
  }
  const metadata = valueAt(resource, 'metadata');
  const mismatch = metadata === undefined || metadata === null ? undefined : objectMetaMismatch(metadata);
  if (mismatch !== undefined) {
    errors.push(invalid(childPath(path, 'metadata'), metadata, mismatch));
  } else if (isJsonObject(metadata)) {
    const named = valueAt(metadata, 'name') ? metadata : { ...metadata, name: 'fakename' };
    const isNamespaced = Boolean(valueAt(metadata, 'namespace'));
    addErrors(
      errors,
      validateObjectMeta(named, { isNamespaced, nameErrors: segmentErrors, path: childPath(path, 'metadata') }),
    );
  }
}

function segmentErrors(name: string, isPrefix: boolean): readonly string[] {
  return isPrefix ? pathSegmentPrefixErrors(name) : pathSegmentErrors(name);
}
