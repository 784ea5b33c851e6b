import type { OwnedFields } from '../cache/index.ts';
import { isJsonObject, type JsonObject, jsonEqual } from './json-difference.ts';

/**
 * Whether an apply of `desired` would change nothing: every field it names is owned, no other field is owned, and the
 * live values are the ones it asks for.
 *
 * A true answer can be relied on. A false one may be wrong where the server stores a value in another form than the one
 * it was given (`1000m` becomes `1`; an atomic list gets defaults in its elements). What it drops is known: a null, false,
 * zero or empty value that is absent from the live object has been left out by `omitempty`.
 */
export function appliedAlready(desired: JsonObject, live: JsonObject, owned: OwnedFields): boolean {
  return objectApplied(withoutIdentity(desired), live, owned);
}

/** An apply names these but no manager owns them. */
function withoutIdentity(desired: JsonObject): JsonObject {
  const { apiVersion: _apiVersion, kind: _kind, metadata, ...rest } = desired;
  if (!isJsonObject(metadata)) return rest;
  const { name: _name, namespace: _namespace, ...ownMetadata } = metadata;
  return Object.keys(ownMetadata).length === 0 ? rest : { ...rest, metadata: ownMetadata };
}

function valueApplied(desired: unknown, live: unknown, owned: OwnedFields): boolean {
  if (isEmptyValue(desired) && live === undefined) return true;
  const children = Object.keys(owned).filter((path) => path !== '.');
  if (children.length === 0) {
    // A map that asks for nothing leaves what others put into it.
    return (
      (isJsonObject(desired) && Object.keys(desired).length === 0 && isJsonObject(live)) || jsonEqual(desired, live)
    );
  }
  if (Array.isArray(desired)) {
    if (!Array.isArray(live) || children.length !== desired.length) return false;
    return children.every((path) =>
      path.startsWith('v:')
        ? memberApplied(path, desired, live)
        : elementApplied(path, desired, live, owned[path] ?? {}),
    );
  }
  return isJsonObject(desired) && isJsonObject(live) && objectApplied(desired, live, owned);
}

function objectApplied(desired: JsonObject, live: JsonObject, owned: OwnedFields): boolean {
  let unseen = Object.keys(owned).filter((path) => path !== '.').length;
  for (const [key, value] of Object.entries(desired)) {
    if (value === undefined) continue;
    const path = `f:${key}`;
    const below = Object.hasOwn(owned, path) ? owned[path] : undefined;
    if (below === undefined) {
      // An empty list of keyed elements owns nothing.
      if (Array.isArray(value) && value.length === 0) continue;
      return false;
    }
    unseen--;
    if (!valueApplied(value, Object.hasOwn(live, key) ? live[key] : undefined, below)) return false;
  }
  return unseen === 0;
}

function memberApplied(path: string, desired: readonly unknown[], live: readonly unknown[]): boolean {
  const member = parseJson(path.slice(2));
  return desired.includes(member) && live.includes(member);
}

/** One element of a keyed list. A key that `desired` leaves to the server's default does not tell elements apart. */
function elementApplied(
  path: string,
  desired: readonly unknown[],
  live: readonly unknown[],
  owned: OwnedFields,
): boolean {
  const keys = path.startsWith('k:') ? parseJson(path.slice(2)) : undefined;
  if (!isJsonObject(keys)) return false;
  const entries = Object.entries(keys);
  const wanted = desired.filter(
    (element) =>
      isJsonObject(element) && entries.every(([key, value]) => element[key] === undefined || element[key] === value),
  );
  const found = live.find(
    (element) => isJsonObject(element) && entries.every(([key, value]) => element[key] === value),
  );
  return wanted.length === 1 && found !== undefined && valueApplied(wanted[0], found, owned);
}

function isEmptyValue(value: unknown): boolean {
  return (
    value === null ||
    value === false ||
    value === 0 ||
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The values that stand at the owned paths of an object, for comparing one version of it with another. */
export function ownedValues(live: unknown, owned: OwnedFields): unknown {
  const paths = Object.keys(owned).filter((path) => path !== '.');
  if (paths.length === 0) return live;
  return paths.map((path) => {
    const below = owned[path] ?? {};
    if (path.startsWith('f:')) {
      const key = path.slice(2);
      return isJsonObject(live) && Object.hasOwn(live, key) ? ownedValues(live[key], below) : null;
    }
    if (!Array.isArray(live)) return null;
    const named = parseJson(path.slice(2));
    if (path.startsWith('v:')) return live.includes(named);
    const element = live.find(
      (candidate) =>
        isJsonObject(candidate) &&
        isJsonObject(named) &&
        Object.entries(named).every(([key, value]) => candidate[key] === value),
    );
    return element === undefined ? null : ownedValues(element, below);
  });
}
