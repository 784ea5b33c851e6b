import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';

/** The maximum depth of a path. Values nested deeper are compared as a whole. */
const deepest = 500;

/**
 * Returns the JSON merge patch (RFC 7386) from `before` to `after`, or undefined if they are equal. It contains changed lists as
 * a whole. A null in an object equals an absent key, because a merge patch cannot express the difference. In a list, null is a
 * value.
 */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: [string, unknown][] = [];
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined || value === null) continue;
    const previous = Object.hasOwn(before, key) ? before[key] : undefined;
    if (!isJsonObject(value)) {
      if (!jsonEqual(previous, value)) patch.push([key, value]);
      continue;
    }
    const nested = mergePatchOf(isJsonObject(previous) ? previous : {}, value);
    if (nested !== undefined) patch.push([key, nested]);
    else if (!isJsonObject(previous)) patch.push([key, {}]);
  }
  for (const [key, value] of Object.entries(before)) {
    if (value === undefined || value === null) continue;
    const next = Object.hasOwn(after, key) ? after[key] : undefined;
    if (next === undefined || next === null) patch.push([key, null]);
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}

/**
 * Returns the paths at which two values differ, such as `spec.replicas` or `status.conditions`. Lists, and values nested deeper
 * than 500 levels, are compared as a whole. Returns at most `limit` paths, so it is fast for objects of any size.
 */
export function changedPaths(before: unknown, after: unknown, limit: number): string[] {
  const paths: string[] = [];
  collect(before, after, '', 0, { paths, limit });
  return paths;
}

/** Returns the paths that a JSON merge patch (RFC 7386) changes: the {@link changedPaths} from the value to the patched value. */
export function patchedPaths(before: unknown, patch: unknown, limit: number): string[] {
  const paths: string[] = [];
  collectPatched(before, patch, '', 0, { paths, limit });
  return paths;
}

interface Found {
  readonly paths: string[];
  readonly limit: number;
}

function collect(before: unknown, after: unknown, path: string, depth: number, found: Found): void {
  if (found.paths.length >= found.limit || before === after) return;
  if (depth === deepest || !isJsonObject(before) || !isJsonObject(after)) {
    if (!jsonEqual(before, after)) found.paths.push(path);
    return;
  }
  // Called after each write, so it builds no list of all keys and no paths for equal values.
  for (const key of Object.keys(before)) {
    const right = Object.hasOwn(after, key) ? after[key] : undefined;
    if (before[key] !== right) collect(before[key], right, joined(path, key), depth + 1, found);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) collect(undefined, after[key], joined(path, key), depth + 1, found);
  }
}

function collectPatched(before: unknown, patch: unknown, path: string, depth: number, found: Found): void {
  if (found.paths.length >= found.limit) return;
  if (depth === deepest || !isJsonObject(before) || !isJsonObject(patch)) {
    if (!jsonEqual(before ?? undefined, patch ?? undefined)) found.paths.push(path);
    return;
  }
  for (const key of Object.keys(patch)) {
    const left = Object.hasOwn(before, key) ? before[key] : undefined;
    collectPatched(left, patch[key], joined(path, key), depth + 1, found);
  }
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
