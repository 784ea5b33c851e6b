import {
  childPath,
  duplicate,
  type FieldError,
  goJson,
  invalid,
  isJsonObject,
  type JsonObject,
  keyPath,
  setKey,
  valueAt,
} from '../apimachinery.ts';
import { checkDepth } from '../nesting.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * The errors of lists with unique items: whole items for list-type set, their keys for list-type map. Of several equal items
 * only the second is reported (apiextensions-apiserver pkg/apiserver/schema/listtype).
 */
export function duplicateItems(value: unknown, node: SchemaNode): FieldError[] {
  const errors: FieldError[] = [];
  findDuplicates(value, node, '', errors, 0);
  return errors;
}

function findDuplicates(value: unknown, node: SchemaNode, path: string, errors: FieldError[], depth: number): void {
  if (typeof value !== 'object' || value === null || !node.reaches('listType')) return;
  checkDepth(depth);
  if (Array.isArray(value)) {
    const type = node.schema['x-kubernetes-list-type'];
    if (type === 'set') for (const i of repeated(value)) errors.push(duplicate(keyPath(path, i), value[i]));
    else if (type === 'map') findDuplicateKeys(value, node, path, errors);
    const { items } = node;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) findDuplicates(value[i], items, keyPath(path, i), errors, depth + 1);
  } else if (isJsonObject(value)) {
    const { additional, properties } = node;
    for (const key of Object.keys(value)) {
      if (additional !== undefined) findDuplicates(value[key], additional, keyPath(path, key), errors, depth + 1);
      const property = properties.get(key);
      if (property !== undefined) findDuplicates(value[key], property, childPath(path, key), errors, depth + 1);
    }
  }
}

function findDuplicateKeys(items: readonly unknown[], node: SchemaNode, path: string, errors: FieldError[]): void {
  const wrong = items.findIndex((item) => item !== null && !isJsonObject(item));
  if (wrong >= 0) {
    const detail = 'must be an object for an array of list-type map';
    errors.push(invalid(keyPath(path, wrong), items[wrong], detail));
    return;
  }
  const keys = node.schema['x-kubernetes-list-map-keys'] ?? [];
  const [first, ...more] = keys;
  const identities =
    first !== undefined && more.length === 0
      ? items.map((item) => (isJsonObject(item) ? valueAt(item, first) : undefined))
      : items.map((item) => identityOf(item, keys));
  for (const i of repeated(identities)) errors.push(duplicate(keyPath(path, i), identityOf(items[i], keys)));
}

function identityOf(item: unknown, keys: readonly string[]): JsonObject {
  const identity: JsonObject = {};
  if (!isJsonObject(item)) return identity;
  for (const key of keys) {
    const value = valueAt(item, key);
    if (value !== undefined) setKey(identity, key, value);
  }
  return identity;
}

/** The index of each value's second appearance. */
export function repeated(values: readonly unknown[]): number[] {
  if (values.length < 2) return [];
  const scalars = new Map<unknown, number>();
  const compounds = new Map<unknown, number>();
  const indexes: number[] = [];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    const isCompound = typeof value === 'object' && value !== null;
    const times = isCompound ? compounds : scalars;
    const identity = isCompound ? goJson(value) : value;
    const before = times.get(identity) ?? 0;
    times.set(identity, before + 1);
    if (before === 1) indexes.push(i);
  }
  return indexes;
}
