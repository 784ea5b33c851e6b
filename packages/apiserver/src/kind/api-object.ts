import type { KubernetesObject } from '@evenkeel/core';
import { compareText } from '../apimachinery/index.ts';

/**
 * An object as the server holds it: the JSON of the wire, decoded and defaulted. What the store has handed out is
 * shared by everybody and never changed; who wants another state makes a copy.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}

/** A copy whose keys are sorted in all its depth, as Go writes a map. */
export function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.keys(members)
      .sort(compareText)
      .map((key) => [key, withSortedKeys(members[key])]),
  );
}
