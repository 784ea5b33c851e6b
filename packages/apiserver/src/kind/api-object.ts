import type { KubernetesObject } from '@evenkeel/core';
import { compareText, type JsonObject, setKey } from '../apimachinery/index.ts';

/**
 * An object as the server holds it: decoded and defaulted JSON. Objects from the store are shared and never changed;
 * code that needs another state makes a copy.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}

/** Returns the value with its keys sorted at every depth, as Go writes a map. Parts that are sorted already are shared. */
export function withSortedKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withSortedKeys);
  const members = value as JsonObject;
  const keys = Object.keys(members);
  let isSorted = keys.every((key, index) => index === 0 || compareText(keys[index - 1] ?? '', key) < 0);
  if (!isSorted) keys.sort(compareText);
  const sorted: JsonObject = {};
  for (const key of keys) {
    const member = members[key];
    const sortedMember = withSortedKeys(member);
    isSorted &&= sortedMember === member;
    setKey(sorted, key, sortedMember);
  }
  return isSorted ? value : sorted;
}
