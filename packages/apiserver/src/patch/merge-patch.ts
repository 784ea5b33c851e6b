import { isJsonObject, type JsonObject, jsonKindOf, setKey, valueAt } from '../apimachinery/index.ts';
import { badPatch } from './patch-refusal.ts';

/**
 * Applies a JSON merge patch (RFC 7386). The original is not changed; what the patch does not touch is shared with it.
 *
 * As in the real server, nulls inside an array are kept where the array replaces a value under an existing object's key,
 * and nulls of objects within it are dropped where the key is new.
 *
 * @throws StatusError 400 when the patch is not an object.
 */
export function applyMergePatch(original: JsonObject, patch: unknown): JsonObject {
  if (patch === null) throw badPatch('Invalid JSON Patch');
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

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isJsonObject(value)) return value;
  const kept: JsonObject = {};
  for (const key of Object.keys(value)) {
    if (value[key] !== null) setKey(kept, key, withoutNulls(value[key]));
  }
  return kept;
}
