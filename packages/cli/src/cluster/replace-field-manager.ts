import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import { ignoreNotFound, type ManagedFieldsEntry } from '@evenkeel/core';
import { CustomResourceDefinition } from '@evenkeel/kinds/apiextensions/v1';
import { untilWritten } from '@evenkeel/testing/webhook';

/**
 * Makes one field manager the owner of all fields of a CRD that another one has applied. The next apply of the new owner then removes those
 * fields that it does not have. Without this, fields of a manager that no longer applies the CRD would stay in it for ever.
 */
export async function replaceFieldManager(client: Client, name: string, from: string, to: string): Promise<void> {
  await untilWritten(async () => {
    const live = await ignoreNotFound(client.get(CustomResourceDefinition, name));
    const { managedFields = [], resourceVersion = '' } = live?.metadata ?? {};
    if (!managedFields.some((entry) => isAppliedBy(entry, from))) return;
    const merge = { metadata: { resourceVersion, managedFields: withManagerReplaced(managedFields, from, to) } };
    await client.patch(CustomResourceDefinition, name, { merge });
  });
}

function isAppliedBy({ manager, operation, subresource }: ManagedFieldsEntry, name: string): boolean {
  return manager === name && operation === 'Apply' && subresource === undefined;
}

function withManagerReplaced(entries: readonly ManagedFieldsEntry[], from: string, to: string): ManagedFieldsEntry[] {
  const old = entries.find((entry) => isAppliedBy(entry, from));
  const own = entries.find((entry) => isAppliedBy(entry, to));
  const others = entries.filter((entry) => entry !== old && entry !== own);
  if (old === undefined) return [...entries];
  return [...others, { ...old, manager: to, fieldsV1: union(old.fieldsV1 ?? {}, own?.fieldsV1 ?? {}) }];
}

/** All fields of two sets in the form `FieldsV1`. */
function union(left: JsonObject, right: JsonObject): JsonObject {
  const result = { ...left };
  for (const [key, fields] of Object.entries(right)) {
    const known = result[key];
    result[key] = isJsonObject(known) && isJsonObject(fields) ? union(known, fields) : fields;
  }
  return result;
}
