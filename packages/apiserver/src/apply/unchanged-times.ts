import type { ManagedFieldsEntry } from '@evenkeel/core';
import { type JsonObject, jsonEqual } from '../apimachinery/index.ts';
import { managedFieldsOf, withManagedFields } from './managed-object.ts';

/**
 * The object as a write should store it: with the stored object's times in its managedFields where those times are all
 * that the write would change. So a write that comes to nothing, once values are normalised and defaulted, is one.
 *
 * To be asked last, after the strategies: `IgnoreManagedFieldsTimestampsTransformer` of apiserver.
 */
export function keepUnchangedTimes(stored: JsonObject, updated: JsonObject): JsonObject {
  const before = entriesOf(stored);
  const after = entriesOf(updated);
  if (after.length === 0 || before.length !== after.length) return updated;
  if (after.every((entry, i) => entry.time === before[i]?.time)) return updated;
  if (!jsonEqual(before.map(withoutTime), after.map(withoutTime))) return updated;
  if (!jsonEqual(withManagedFields(stored, undefined), withManagedFields(updated, undefined))) return updated;
  return withManagedFields(updated, before);
}

function entriesOf(object: JsonObject): ManagedFieldsEntry[] {
  const entries = managedFieldsOf(object);
  return Array.isArray(entries) ? entries : [];
}

function withoutTime({ time: _, ...entry }: ManagedFieldsEntry): ManagedFieldsEntry {
  return entry;
}
