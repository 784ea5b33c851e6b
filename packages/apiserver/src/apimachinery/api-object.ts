import type { KubernetesObject } from '@evenkeel/core';

/**
 * An object as the server holds it: the JSON of the wire, decoded and defaulted. What the store has handed out is
 * shared by everybody and never changed; who wants another state makes a copy.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}

/** A copy that may be changed in all its depth. Keys such as `__proto__` stay ordinary keys. */
export function copyObject<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyObject) as T;
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = copyObject((value as Record<string, unknown>)[key]);
    if (key === '__proto__')
      Object.defineProperty(copy, key, { value: item, enumerable: true, configurable: true, writable: true });
    else copy[key] = item;
  }
  return copy as T;
}

/** Whether two JSON values are the same, the order of keys aside (`equality.Semantic.DeepEqual` for what JSON can say). */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((item, index) => sameJson(item, right[index]))
    );
  }
  if (Array.isArray(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        sameJson((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
}
