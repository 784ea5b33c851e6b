import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';

/** Paths end at this depth: what is nested deeper counts as one value. */
const deepest = 500;

/**
 * The JSON merge patch (RFC 7386) that makes `after` of `before`; undefined where they are the same. A list that differs
 * is given whole. A null in an object is the same as an absent key, for a merge patch cannot say otherwise; in a list it is
 * a value.
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
 * Where two values differ, as paths such as `spec.replicas` or `status.conditions`; a list counts as one value, and so does
 * what is nested deeper than 500 levels. At most `limit` of them, so that it stays cheap on objects of any size.
 */
export function changedPaths(before: unknown, after: unknown, limit: number): string[] {
  const paths: string[] = [];
  collect(before, after, '', 0, { paths, limit });
  return paths;
}

/** Where a JSON merge patch (RFC 7386) changes a value: the {@link changedPaths} to what it makes of it. */
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
  // Without a list of both sides' keys, and without a path for what is the same: this is done after each write.
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
