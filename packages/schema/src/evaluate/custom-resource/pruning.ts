import { childPath, isJsonObject, keyPath, objectMetaFields } from '../apimachinery.ts';
import { checkDepth } from '../nesting.ts';
import { metaFields, type SchemaNode } from './schema-node.ts';

/**
 * Removes fields that the schema does not specify, except apiVersion, kind and metadata of the root and of embedded
 * resources. Changes `value` in place and returns the sorted paths of the removed fields, or the first of them if there are
 * very many. Strict field validation reports each as `unknown field "<path>"`. (apiextensions-apiserver
 * pkg/apiserver/schema/pruning/algorithm.go)
 */
export function prune(value: unknown, node: SchemaNode, isRoot: boolean): string[] {
  const removed = new RemovedPaths();
  pruneValue(value, node, '', isRoot, removed, 0);
  return removed.paths.sort();
}

/** The maximal total length of the returned paths; fields beyond it are removed without being reported. */
const maxPathLength = 16 * 1024 * 1024;

class RemovedPaths {
  readonly paths: string[] = [];
  #length = 0;

  push(path: string): void {
    this.#length += path.length;
    if (this.#length <= maxPathLength) this.paths.push(path);
  }
}

/**
 * Metadata of an embedded resource after a round trip through Go's struct: without unknown and empty fields
 * (apiextensions-apiserver pkg/apiserver/schema/objectmeta/coerce.go).
 */
function prunedObjectMeta(metadata: unknown, path: string, removed: RemovedPaths): unknown {
  if (metadata === null) return {};
  if (!isJsonObject(metadata)) return metadata;
  for (const key of Object.keys(metadata)) {
    if (!objectMetaFields.has(key)) {
      removed.push(childPath(path, key));
      delete metadata[key];
    } else if (isEmpty(metadata[key])) {
      delete metadata[key];
    }
  }
  return metadata;
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === 0;
}

/** Without a node, no field below is specified. */
function pruneValue(
  value: unknown,
  node: SchemaNode | undefined,
  path: string,
  isRoot: boolean,
  removed: RemovedPaths,
  depth: number,
): void {
  if (typeof value !== 'object' || value === null) return;
  if (node?.preservesUnknown === true) {
    pruneSpecified(value, node, path, isRoot, removed, depth);
    return;
  }
  checkDepth(depth);
  if (Array.isArray(value)) {
    value.forEach((item, index) => {
      pruneValue(item, node?.items, keyPath(path, index), false, removed, depth + 1);
    });
  } else if (isJsonObject(value)) {
    const keepsMeta = isRoot || node?.embedded === true;
    for (const key of Object.keys(value)) {
      if (keepsMeta && metaFields.has(key)) {
        if (key === 'metadata' && !isRoot) value[key] = prunedObjectMeta(value[key], childPath(path, key), removed);
        continue;
      }
      const property = node?.properties.get(key);
      if (property !== undefined || node?.hasAdditional === true) {
        pruneValue(value[key], property ?? node?.additional, childPath(path, key), false, removed, depth + 1);
      } else {
        removed.push(childPath(path, key));
        delete value[key];
      }
    }
  }
}

/** If unknown fields are preserved, only values with a schema are pruned. */
function pruneSpecified(
  value: unknown,
  node: SchemaNode,
  path: string,
  isRoot: boolean,
  removed: RemovedPaths,
  depth: number,
): void {
  checkDepth(depth);
  if (Array.isArray(value)) {
    const { items } = node;
    if (items === undefined) return;
    value.forEach((item, index) => {
      pruneSpecified(item, items, keyPath(path, index), false, removed, depth + 1);
    });
  } else if (isJsonObject(value)) {
    const keepsMeta = isRoot || node.embedded;
    for (const key of Object.keys(value)) {
      if (keepsMeta && metaFields.has(key)) {
        if (key === 'metadata' && !isRoot) value[key] = prunedObjectMeta(value[key], childPath(path, key), removed);
        continue;
      }
      const property = node.properties.get(key);
      if (property !== undefined || node.hasAdditional) {
        pruneValue(value[key], property ?? node.additional, childPath(path, key), false, removed, depth + 1);
      }
    }
  }
}
