import type { ManagedFieldsEntry } from '@evenkeel/core';
import { type JsonObject, jsonEqual } from '../apimachinery/index.ts';
import { managedFieldsOf, withManagedFields } from './managed-object.ts';

/**
 * Returns the object to store: if the write changes only times in managedFields, the stored times are kept. So a write
 * without effect after normalization and defaulting changes nothing.
 *
 * Call it last, after the strategies: `IgnoreManagedFieldsTimestampsTransformer` of apiserver.
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
