import { isJsonObject, type JsonObject, jsonKindOf, setKey, valueAt } from '../apimachinery/index.ts';
import { badPatch } from './patch-refusal.ts';

/** What the server's library reports of a text that is no merge patch. */
export const invalidMergePatch = 'Invalid JSON Patch';

/**
 * Applies a JSON merge patch (RFC 7386). The original is not changed; the result shares its unchanged parts.
 *
 * As in the real server, nulls inside an array are kept if the array replaces a value under an existing object's key.
 * If the key is new, nulls of objects within the array are dropped.
 *
 * `isLazy`: the patch has not been decoded before, which changes the message. Default: false.
 *
 * @throws StatusError 400 if the patch is not an object.
 */
export function applyMergePatch(original: JsonObject, patch: unknown, { isLazy = false } = {}): JsonObject {
  if (patch === null || (isLazy && !isJsonObject(patch))) throw badPatch(invalidMergePatch);
  if (!isJsonObject(patch)) {
    const kind = jsonKindOf(patch);
    throw badPatch(
      `error decoding patch: json: cannot unmarshal ${kind} into Go value of type map[string]interface {}`,
    );
  }
  return mergeObjects(original, patch);
}

function mergeObjects(original: JsonObject, patch: JsonObject): JsonObject {
  const merged = { ...original };
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === null) {
      delete merged[key];
      continue;
    }
    const current = valueAt(merged, key);
    if (!isJsonObject(current)) {
      setKey(merged, key, withoutNulls(value));
    } else {
      setKey(merged, key, isJsonObject(value) ? mergeObjects(current, value) : value);
    }
  }
  return merged;
}

/** Drops the null members of objects, at any depth. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (value[key] !== null) setKey(kept, key, withoutNulls(value[key]));
  }
  return kept;
}
