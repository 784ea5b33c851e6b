import { isJsonObject, type JsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import type { OwnedFields } from '../cache/applied-fields.ts';

/**
 * Whether an apply of `desired` would change nothing: every field it names is owned, no other field is owned, the live
 * values are the ones it asks for, and the elements it asks for in a list that is merged are in its order, whatever others
 * have put between them, as an apply leaves them (structured-merge-diff, `visitListItems`).
 *
 * A true answer can be relied on. A false one may be wrong where the server stores a value in another form than the one
 * it was given (`1000m` becomes `1`; an atomic list gets defaults in its elements). What it drops is known: a null, false,
 * zero or empty value that is absent from the live object has been left out by `omitempty`.
 *
 * An empty map or list and a null are ambiguous where the live value is none: they empty what is atomic, and leave to others
 * what is granular, and what is owned looks the same for both. `emptiedBefore` says that all that {@link emptiedFields}
 * finds was so in the manager's last apply too. Then what is there is others' or the server's, for who fills what is
 * atomic takes it over.
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

/** An apply names these but no manager owns them. */
function withoutIdentity(desired: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = desired;
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, namespace: _namespace, ...ownMetadata } = metadata;
  return Object.keys(ownMetadata).length === 0 ? rest : { ...rest, metadata: ownMetadata };
}

/** Of these it is known without a schema that they are granular. */
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
      // An empty list of keyed elements owns nothing; one that is atomic may have been taken over.
      if (isEmptyList(value) && (emptiedBefore || there === undefined || isEmptyList(there))) continue;
      return false;
    }
    unseen--;
    if (!valueApplied(value, there, below, emptiedBefore)) return false;
  }
  return unseen === 0;
}

/** A list whose elements are owned one by one: a set, or told apart by keys. */
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

/** Where the element of an owned path stands in what is asked for. Keys that are left to the server's default tell nothing apart. */
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

/** Where the element of an owned path stands in a list as the server has it. */
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

/** What asks for nothing to be in a field. */
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

/** What stands at emptied paths: `{}`, `[]` or `null`. */
export type EmptiedFields = { readonly [path: string]: EmptiedFields | string };

/** Where `desired` has an empty map or list or a null and owns nothing below it; undefined where that is nowhere. */
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
 * The values that stand at the owned paths of an object, and the order of owned elements, for comparing one version of it
 * with another. What was emptied is left out: what is there, if anything, is not the owner's.
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
