import { isJsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import { fieldsOfEveryObject, type KubernetesObject } from '@evenkeel/core';
import type { StoredSchema } from './stored-schema.ts';

/**
 * The fields of an object that it has no more. Null, an empty object, an empty list and the default of a field are no data: the
 * server adds defaults when it reads an object.
 *
 * @param schema of the first object.
 */
export function lostFields(
  before: KubernetesObject,
  after: KubernetesObject,
  schema: StoredSchema,
): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const [name, value] of Object.entries(before)) {
    if (fieldsOfEveryObject.has(name)) continue;
    addLost(value, Reflect.get(after, name), { path: name, schema: schema.properties?.[name] ?? {} }, lost);
  }
  return lost;
}

interface Place {
  readonly path: string;
  readonly schema: StoredSchema;
}

function addLost(before: unknown, after: unknown, { path, schema }: Place, lost: Set<string>): void {
  if (before === undefined || before === null) return;
  const isMissing = after === undefined || after === null;
  if (isMissing && schema.default !== undefined && jsonEqual(before, schema.default)) return;
  const inside: Set<string> = isMissing ? new Set() : lost;
  if (Array.isArray(before)) {
    const others: readonly unknown[] = Array.isArray(after) ? after : [];
    for (const [at, element] of before.entries()) {
      if (at >= others.length) inside.add(`${path}[*]`);
      else addLost(element, others[at], { path: `${path}[*]`, schema: schema.items ?? {} }, inside);
    }
  } else if (isJsonObject(before)) {
    const others = isJsonObject(after) ? after : {};
    for (const [name, value] of Object.entries(before)) {
      addLost(value, others[name], { path: `${path}.${name}`, schema: schema.properties?.[name] ?? {} }, inside);
    }
  } else if (isMissing) lost.add(path);
  if (isMissing && inside.size > 0) lost.add(path);
}

/**
 * Whether one version of an object contains nothing that another version of it does not. The API server then only removed
 * fields from it, and no write of it can restore them: it adds no defaults to an object that it reads in another version than
 * the stored one. A conversion that keeps the fields puts them somewhere, or changes a value.
 */
export function isPartOf({ apiVersion: _differs, ...part }: KubernetesObject, whole: KubernetesObject): boolean {
  return contains(whole, part);
}

function contains(whole: unknown, part: unknown): boolean {
  if (Array.isArray(part)) {
    const others: readonly unknown[] = Array.isArray(whole) ? whole : [];
    return part.length === others.length && part.every((element, at) => contains(others[at], element));
  }
  if (!isJsonObject(part)) return jsonEqual(part, whole);
  return isJsonObject(whole) && Object.entries(part).every(([name, value]) => contains(whole[name], value));
}
