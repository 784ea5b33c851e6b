import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import type { OwnedFields } from '../cache/applied-fields.ts';

/**
 * Whether an apply of `desired` would change nothing:
 * - The field manager owns every field of `desired` and no other field.
 * - The live values are those of `desired`.
 * - The elements of merged lists are in the order of `desired`. Elements of others may be between them, because an apply keeps
 *   those there (structured-merge-diff, `visitListItems`).
 *
 * True is always correct. False may be wrong if the server stores a value in another form (`1000m` becomes `1`; the elements of
 * an atomic list get defaults). Dropped values are handled: a null, false, zero or empty value that the live object does not
 * have was omitted by `omitempty`.
 *
 * An empty map, an empty list and a null are ambiguous if the live value is not empty: they empty an atomic field, but leave
 * the content of a granular field to others, and the owned fields look the same in both cases. `emptiedBefore` is true if
 * the manager's last apply already had everything that {@link emptiedFields} finds. Then the live content belongs to others or
 * to the server, because a manager that fills an atomic field takes over its ownership.
 */
export function appliedAlready(
  desired: JsonObject,
  live: JsonObject,
  owned: OwnedFields,
  emptiedBefore = false,
): boolean {
  const wanted = withoutIdentity(desired);
  return objectApplied(wanted, withoutOthersMetadata(live, wanted, owned), owned, emptiedBefore);
}

/** An apply contains these fields, but no manager owns them. */
function withoutIdentity(desired: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = desired;
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, namespace: _namespace, ...ownMetadata } = metadata;
  return Object.keys(ownMetadata).length === 0 ? rest : { ...rest, metadata: ownMetadata };
}

/** These fields are granular in every kind, so no schema is needed to know it. */
const granularMetadata = ['annotations', 'finalizers'];

function withoutOthersMetadata(live: JsonObject, desired: JsonObject, owned: OwnedFields): JsonObject {
  const { metadata } = desired;
  const ownedMetadata = owned['f:metadata'] ?? {};
  if (!isJsonObject(metadata) || !isJsonObject(live['metadata'])) return live;
  const others = granularMetadata.filter(
    (key) => isEmptied(metadata[key]) && childrenOf(ownedMetadata[`f:${key}`] ?? {}).length === 0,
  );
  if (others.length === 0) return live;
  const kept = Object.entries(live['metadata']).filter(([key]) => !others.includes(key));
  return { ...live, metadata: Object.fromEntries(kept) };
}

function valueApplied(desired: unknown, live: unknown, owned: OwnedFields, emptiedBefore: boolean): boolean {
  if (isEmptyValue(desired) && live === undefined) return true;
  const children = childrenOf(owned);
  if (children.length === 0) return (emptiedBefore && isEmptied(desired)) || jsonEqual(desired, live);
  if (Array.isArray(desired)) {
    return (
      Array.isArray(live) && children.length === desired.length && listApplied(desired, live, owned, emptiedBefore)
    );
  }
  return isJsonObject(desired) && isJsonObject(live) && objectApplied(desired, live, owned, emptiedBefore);
}

function objectApplied(desired: JsonObject, live: JsonObject, owned: OwnedFields, emptiedBefore: boolean): boolean {
  let unseen = childrenOf(owned).length;
  for (const [key, value] of Object.entries(desired)) {
    if (value === undefined) continue;
    const path = `f:${key}`;
    const below = Object.hasOwn(owned, path) ? owned[path] : undefined;
    const there = Object.hasOwn(live, key) ? live[key] : undefined;
    if (below === undefined) {
      // An empty list of keyed elements owns nothing. An atomic one may have been taken over.
      if (isEmptyList(value) && (emptiedBefore || there === undefined || isEmptyList(there))) continue;
      return false;
    }
    unseen--;
    if (!valueApplied(value, there, below, emptiedBefore)) return false;
  }
  return unseen === 0;
}

/** Whether the elements of a list are owned individually: it is a set, or has merge keys. */
function listApplied(
  desired: readonly unknown[],
  live: readonly unknown[],
  owned: OwnedFields,
  emptiedBefore: boolean,
): boolean {
  const places: number[] = [];
  for (const path of childrenOf(owned)) {
    const at = placeOfWanted(path, desired);
    const liveAt = placeOf(path, live);
    if (at === undefined || liveAt === undefined) return false;
    const isMember = path.startsWith('v:');
    if (!isMember && !valueApplied(desired[at], live[liveAt], owned[path] ?? {}, emptiedBefore)) return false;
    places[at] = liveAt;
  }
  return places.every((liveAt, at) => at === 0 || liveAt > (places[at - 1] ?? -1));
}

/** The index of the element of an owned path in the desired list. Merge keys that the server defaults are not compared. */
function placeOfWanted(path: string, desired: readonly unknown[]): number | undefined {
  const named = parseJson(path.slice(2));
  if (path.startsWith('v:')) return found(desired.indexOf(named));
  if (!path.startsWith('k:') || !isJsonObject(named)) return undefined;
  const keys = Object.entries(named);
  const isWanted = (element: unknown): boolean =>
    isJsonObject(element) && keys.every(([key, value]) => element[key] === undefined || element[key] === value);
  const at = desired.findIndex(isWanted);
  return at === desired.findLastIndex(isWanted) ? found(at) : undefined;
}

/** The index of the element of an owned path in the live list. */
function placeOf(path: string, live: readonly unknown[]): number | undefined {
  const named = parseJson(path.slice(2));
  if (path.startsWith('v:')) return found(live.indexOf(named));
  if (!isJsonObject(named)) return undefined;
  const keys = Object.entries(named);
  return found(
    live.findIndex((element) => isJsonObject(element) && keys.every(([key, value]) => element[key] === value)),
  );
}

function found(at: number): number | undefined {
  return at === -1 ? undefined : at;
}

function childrenOf(owned: OwnedFields): string[] {
  return Object.keys(owned).filter((path) => path !== '.');
}

function isEmptyValue(value: unknown): boolean {
  return value === false || value === 0 || value === '' || isEmptied(value);
}

/** Whether a value asks for an empty field. */
function isEmptied(value: unknown): boolean {
  return value === null || isEmptyList(value) || (isJsonObject(value) && Object.keys(value).length === 0);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values at emptied paths: `{}`, `[]` or `null`. */
export type EmptiedFields = { readonly [path: string]: EmptiedFields | string };

/** The paths at which `desired` has an empty map, an empty list or a null and owns nothing below it. Undefined: none. */
export function emptiedFields(desired: unknown, owned: OwnedFields): EmptiedFields | undefined {
  const fields: [string, EmptiedFields | string][] = [];
  const add = (path: string, value: unknown, below: OwnedFields): void => {
    const isLeaf = isEmptied(value) && childrenOf(below).length === 0;
    const emptied = isLeaf ? JSON.stringify(value) : emptiedFields(value, below);
    if (emptied !== undefined) fields.push([path, emptied]);
  };
  if (Array.isArray(desired)) {
    for (const path of childrenOf(owned)) {
      const at = placeOfWanted(path, desired);
      if (at !== undefined) add(path, desired[at], owned[path] ?? {});
    }
  } else if (isJsonObject(desired)) {
    for (const [key, value] of Object.entries(desired)) {
      const path = `f:${key}`;
      const below = Object.hasOwn(owned, path) ? owned[path] : undefined;
      if (below !== undefined || isEmptyList(value)) add(path, value, below ?? {});
    }
  }
  return fields.length === 0 ? undefined : Object.fromEntries(fields);
}

/**
 * The values at the owned paths of an object, and the order of owned elements, to compare two versions of it. Emptied fields
 * are omitted: their content, if any, does not belong to the field manager.
 */
export function ownedValues(live: unknown, owned: OwnedFields, emptied: EmptiedFields = {}): unknown {
  const paths = childrenOf(owned);
  if (paths.length === 0) return live;
  const valueAt = (path: string, value: unknown): unknown => {
    const emptiedBelow = Object.hasOwn(emptied, path) ? emptied[path] : undefined;
    return typeof emptiedBelow === 'string' ? null : ownedValues(value, owned[path] ?? {}, emptiedBelow);
  };
  if (paths.some((path) => !path.startsWith('f:'))) {
    if (!Array.isArray(live)) return null;
    return paths
      .map((path) => ({ path, at: placeOf(path, live) ?? -1 }))
      .toSorted((left, right) => left.at - right.at)
      .map(({ path, at }) => [path, at === -1 ? null : valueAt(path, live[at])]);
  }
  return paths.map((path) => {
    const key = path.slice(2);
    return isJsonObject(live) && Object.hasOwn(live, key) ? valueAt(path, live[key]) : null;
  });
}
