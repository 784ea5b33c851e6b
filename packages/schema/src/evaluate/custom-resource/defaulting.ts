import { copyJson, isJsonObject, setKey, valueAt } from '../apimachinery.ts';
import { checkDepth } from '../nesting.ts';
import { Effort } from './effort.ts';
import type { SchemaNode } from './schema-node.ts';

/**
 * Removes nulls of fields that are neither nullable nor have a default, as the API server does when it decodes a
 * custom resource. Changes `value` in place. (apiextensions-apiserver pkg/apiserver/schema/defaulting/prunenulls.go)
 */
export function dropNulls(value: unknown, node: SchemaNode, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  checkDepth(depth);
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (const item of value) dropNulls(item, items, depth + 1);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      const child = node.child(key);
      if (child === undefined) continue;
      if (value[key] === null && !child.nullable && !child.hasDefault) delete value[key];
      else dropNulls(value[key], child, depth + 1);
    }
  }
}

/**
 * Sets the defaults of missing fields and of nulls of fields that are not nullable; missing parents stay missing. Changes
 * `value` in place. Throws an EffortError if there would be too many. (apiextensions-apiserver
 * pkg/apiserver/schema/defaulting/algorithm.go)
 */
export function setDefaults(value: unknown, node: SchemaNode, effort = new Effort(), depth = 0): void {
  if (typeof value !== 'object' || value === null || !node.reaches('default')) return;
  checkDepth(depth);
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null && !items.nullable && items.hasDefault) value[i] = copyOf(items, effort);
      setDefaults(value[i], items, effort, depth + 1);
    }
  } else if (isJsonObject(value)) {
    effort.spend(node.defaulted.length);
    for (const [name, property] of node.defaulted) {
      const present = valueAt(value, name);
      if (present === undefined || (present === null && !property.nullable)) {
        setKey(value, name, copyOf(property, effort));
      }
    }
    for (const key of Object.keys(value)) {
      const child = node.child(key);
      if (child === undefined) continue;
      if (value[key] === null && !child.nullable && child.hasDefault) setKey(value, key, copyOf(child, effort));
      setDefaults(value[key], child, effort, depth + 1);
    }
  }
}

/** A copy of the default. Its size counts as effort, because a small object can have room for many defaults. */
function copyOf(node: SchemaNode, effort: Effort): unknown {
  effort.spend(node.defaultSize);
  return copyJson(node.schema.default);
}
