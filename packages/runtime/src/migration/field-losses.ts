import { isJsonObject, jsonEqual } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  type Clock,
  fieldsOfEveryObject,
  isNotFound,
  type KubernetesObject,
  messageOf,
  type ObjectKey,
  StatusError,
} from '@evenkeel/core';
import type { MigratedDefinition, StoredVersion } from './migrated-definition.ts';
import { listedFailures, type ObjectFailure } from './object-failures.ts';
import { fieldsOnlyIn, type StoredSchema } from './stored-schema.ts';
import { repeated, type Visit, visitObjects } from './visit-objects.ts';

/** A field that objects lose when they are stored in the storage version. */
export interface FieldLoss {
  /** The old version that has the field. */
  readonly version: string;
  /** `spec.color`, or `spec.ports[*].name` for an element of a list. */
  readonly field: string;
  /** The number of objects that have it; undefined if the version is not served, so that they cannot be read. */
  readonly objects: number | undefined;
  /** One of the objects: `namespace/name`, or `name`. */
  readonly example: string | undefined;
}

/** What objects would lose in a migration. */
export interface FieldLosses {
  readonly losses: readonly FieldLoss[];
  /** The objects that could not be compared: their number, and the first 20 of them. */
  readonly unchecked: number;
  readonly failures: readonly ObjectFailure[];
}

export interface FieldLossOptions {
  readonly client: Client;
  readonly definition: MigratedDefinition;
  readonly clock: Clock;
  /** Requests per second. */
  readonly qps: number;
  readonly signal: AbortSignal | undefined;
  readonly onObject: () => void;
}

/** Keys of maps are part of the fields, so there can be any number of them. */
const fieldsMax = 100;

/** Whether {@link findFieldLosses} must look at objects or finds fields, according to the schemas. */
export function mayLoseFields(definition: MigratedDefinition): boolean {
  return comparedVersions(definition).length > 0;
}

/** The old versions whose objects may lose fields, and the fields that only their schemas have. Conversions may use other names. */
function comparedVersions({ oldVersions, schema, isConverted }: MigratedDefinition) {
  return oldVersions
    .map((old) => ({ old, fields: isConverted ? [] : fieldsOnlyIn(old.schema, schema) }))
    .filter(({ old, fields }) => (isConverted ? old.served : fields.length > 0));
}

/**
 * Finds the fields that objects have in the old versions in which they may be stored, and lose in the storage version. Nothing is
 * written, and nothing is read if the storage version has all fields of the old ones and there is no conversion.
 *
 * Each object is read through its old version, and then written through it with an empty patch as a dry run: the server encodes
 * the object in the storage version, and returns what it would read from that. This covers conversions and defaults too. A field
 * is lost if it is only in the first response; a changed value is not.
 */
export async function findFieldLosses({ definition, ...options }: FieldLossOptions): Promise<FieldLosses> {
  const losses: FieldLoss[] = [];
  const failures: ObjectFailure[] = [];
  let unchecked = 0;
  for (const { old, fields } of comparedVersions(definition)) {
    if (!old.served) {
      losses.push(...fields.map((field) => ({ version: old.name, field, objects: undefined, example: undefined })));
      continue;
    }
    let found = new Map<string, { objects: number; readonly example: string }>();
    const ofOthers = { unchecked, failures: failures.length };
    await visitObjects({
      ...options,
      resource: { ...definition.resource, version: old.name },
      onRestart: () => {
        found = new Map();
        unchecked = ofOthers.unchecked;
        failures.length = ofOthers.failures;
      },
      visit: async (key, visit) => {
        try {
          for (const field of await lostFieldsOf(key, visit, old, { definition, ...options })) {
            const known = found.get(field);
            if (known !== undefined) known.objects++;
            else if (found.size < fieldsMax) found.set(field, { objects: 1, example: `${key}` });
          }
        } catch (error) {
          visit.signal.throwIfAborted();
          if (isNotFound(error)) return;
          if (!(error instanceof StatusError)) throw error;
          unchecked++;
          if (failures.length < listedFailures) failures.push({ object: `${key}`, message: messageOf(error) });
        }
        options.onObject();
      },
    });
    losses.push(...[...found].map(([field, of]) => ({ version: old.name, field, ...of })));
  }
  return { losses, unchecked, failures };
}

function lostFieldsOf(
  key: ObjectKey,
  { signal, turn }: Visit,
  old: StoredVersion,
  { client, clock, definition }: Pick<FieldLossOptions, 'client' | 'clock' | 'definition'>,
): Promise<ReadonlySet<string>> {
  const resource = { ...definition.resource, version: old.name };
  return repeated(clock, signal, async () => {
    const before = await client.get(resource, key, { signal });
    await turn();
    // A concurrent change is a conflict, and both requests are repeated.
    const { resourceVersion } = before.metadata;
    const merge = { metadata: { resourceVersion } };
    const after = await client.patch(resource, key, { merge }, { signal, dryRun: true, fieldValidation: 'Ignore' });
    return lostFields(before, after, old.schema);
  });
}

/**
 * The fields of an object that it has no more. Null, an empty object, an empty list and the default of a field are no data: the
 * server adds defaults when it reads an object.
 *
 * @param schema of the first object.
 */
function lostFields(before: KubernetesObject, after: KubernetesObject, schema: StoredSchema): ReadonlySet<string> {
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
