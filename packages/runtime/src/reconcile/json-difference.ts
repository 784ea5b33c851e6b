/** A value as JSON has it. `undefined` in an object is an absent key. */
export type JsonObject = { readonly [key: string]: unknown };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values are the same JSON: order of keys does not matter, `undefined` is absent. */
export function jsonEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => jsonEqual(item, right[index]))
    );
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  let present = 0;
  for (const [key, value] of Object.entries(left)) {
    if (value === undefined) continue;
    present++;
    if (!Object.hasOwn(right, key) || !jsonEqual(value, right[key])) return false;
  }
  for (const value of Object.values(right)) if (value !== undefined) present--;
  return present === 0;
}

/**
 * The JSON merge patch (RFC 7386) that makes `after` of `before`; undefined where they are the same. A list that differs
 * is given whole.
 */
export function mergePatchOf(before: JsonObject, after: JsonObject): JsonObject | undefined {
  const patch: [string, unknown][] = [];
  for (const [key, value] of Object.entries(after)) {
    if (value === undefined) continue;
    const previous = Object.hasOwn(before, key) ? before[key] : undefined;
    if (jsonEqual(previous, value)) continue;
    const nested = isJsonObject(previous) && isJsonObject(value) ? mergePatchOf(previous, value) : undefined;
    patch.push([key, nested ?? value]);
  }
  for (const [key, value] of Object.entries(before)) {
    if (value !== undefined && value !== null && (!Object.hasOwn(after, key) || after[key] === undefined)) {
      patch.push([key, null]);
    }
  }
  return patch.length === 0 ? undefined : Object.fromEntries(patch);
}

/**
 * Where two values differ, as paths such as `spec.replicas` or `status.conditions`; a list counts as one value. At most
 * `limit` of them, so that it stays cheap on objects of any size.
 */
export function changedPaths(before: unknown, after: unknown, limit: number): string[] {
  const paths: string[] = [];
  collect(before, after, '', paths, limit);
  return paths;
}

function collect(before: unknown, after: unknown, path: string, paths: string[], limit: number): void {
  if (paths.length >= limit || before === after) return;
  if (!isJsonObject(before) || !isJsonObject(after)) {
    if (!jsonEqual(before, after)) paths.push(path);
    return;
  }
  // Without a list of both sides' keys, and without a path for what is the same: this is done after each write.
  for (const key of Object.keys(before)) {
    const right = Object.hasOwn(after, key) ? after[key] : undefined;
    if (before[key] !== right) collect(before[key], right, joined(path, key), paths, limit);
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) collect(undefined, after[key], joined(path, key), paths, limit);
  }
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
