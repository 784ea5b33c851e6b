import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';

/** An operation of a JSON patch (RFC 6902) that a webhook sends. */
export type PatchOperation =
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string };

/** Values that are nested deeper are replaced as a whole. */
const deepest = 500;

/**
 * Returns the JSON patch from `before` to `after`: empty if both are the same JSON. It changes the fewest fields: an object that
 * is in both is changed member by member, and lists are compared from both ends. It counts as JSON what `JSON.stringify` writes:
 * a member that is undefined is absent, and an object with `toJSON` is what that returns.
 *
 * @throws TypeError for a value that JSON does not have, such as a bigint.
 */
export function jsonPatchOf(before: JsonObject, after: JsonObject): PatchOperation[] {
  const operations: PatchOperation[] = [];
  compareObjects(before, after, '', 0, operations);
  return operations;
}

function compare(before: unknown, given: unknown, path: string, depth: number, operations: PatchOperation[]): void {
  if (before === given) return;
  const after = asJson(given) ?? null;
  if (depth < deepest) {
    if (isJsonObject(before) && isJsonObject(after)) {
      compareObjects(before, after, path, depth, operations);
      return;
    }
    if (Array.isArray(before) && Array.isArray(after)) {
      compareLists(before, after, path, depth, operations);
      return;
    }
  }
  if (!jsonEqual(before, after)) operations.push({ op: 'replace', path, value: after });
}

function compareObjects(
  before: JsonObject,
  after: JsonObject,
  path: string,
  depth: number,
  operations: PatchOperation[],
): void {
  for (const key of Object.keys(before)) {
    const at = `${path}/${escaped(key)}`;
    const value = Object.hasOwn(after, key) ? asJson(after[key]) : undefined;
    if (value === undefined) operations.push({ op: 'remove', path: at });
    else compare(before[key], value, at, depth + 1, operations);
  }
  for (const key of Object.keys(after)) {
    if (Object.hasOwn(before, key)) continue;
    const value = asJson(after[key]);
    if (value !== undefined) operations.push({ op: 'add', path: `${path}/${escaped(key)}`, value });
  }
}

/**
 * Equal elements at both ends stay. Those between are changed in place, as far as both lists have them; the rest is removed from
 * its end, or added.
 */
function compareLists(
  before: readonly unknown[],
  given: readonly unknown[],
  path: string,
  depth: number,
  operations: PatchOperation[],
): void {
  const after = given.map((value) => asJson(value) ?? null);
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && jsonEqual(before[start], after[start])) start++;
  let end = 0;
  while (end < shorter - start && jsonEqual(before.at(-1 - end), after.at(-1 - end))) end++;
  const [oldEnd, newEnd] = [before.length - end, after.length - end];
  const inBoth = Math.min(oldEnd, newEnd);
  for (let index = start; index < inBoth; index++) {
    compare(before[index], after[index], `${path}/${index}`, depth + 1, operations);
  }
  for (let index = oldEnd - 1; index >= inBoth; index--) operations.push({ op: 'remove', path: `${path}/${index}` });
  for (let index = inBoth; index < newEnd; index++) {
    // A dash is the end of the list, which is shorter to read for what is appended.
    const at = end === 0 ? '-' : index;
    operations.push({ op: 'add', path: `${path}/${at}`, value: after[index] });
  }
}

/** What `JSON.stringify` makes of a value, without its members; undefined for what it leaves out. */
function asJson(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) {
    return 'toJSON' in value && typeof value.toJSON === 'function' ? (value.toJSON() as unknown) : value;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'bigint') throw new TypeError('a bigint is not a value of JSON');
  return typeof value === 'function' || typeof value === 'symbol' ? undefined : value;
}

/** A segment of a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
