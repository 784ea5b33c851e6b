import type { KubernetesObject } from '@evenkeel/core';
import { compareText } from '../apimachinery/index.ts';

/**
 * An object as the server holds it: decoded and defaulted JSON. Objects from the store are shared and never changed;
 * code that needs another state makes a copy.
 */
export interface ApiObject extends KubernetesObject {
  [field: string]: unknown;
}

/** Returns a copy whose keys are sorted at every depth, as Go writes a map. */
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
