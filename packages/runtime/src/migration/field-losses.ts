import type { Client } from '@evenkeel/client';
import { type Clock, EvenkeelError, isNotFound, messageOf, type ObjectKey, StatusError } from '@evenkeel/core';
import { lostFields } from '../fields/lost-fields.ts';
import { fieldsOnlyIn } from '../fields/stored-schema.ts';
import type { MigratedDefinition, StoredVersion } from './migrated-definition.ts';
import { listedFailures, type ObjectFailure } from './object-failures.ts';
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
          throwIfNotCalled(error, definition);
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

/** In the API server's message, the error of the call follows. A webhook that responds with a failure has another message. */
const notCalled = /conversion webhook for .* failed: (Post ".*)/;

/** Throws `migration-refused` if the conversion webhook cannot be called: no object can be compared then, nor migrated. */
function throwIfNotCalled(error: StatusError, { name }: MigratedDefinition): void {
  const [, why] = notCalled.exec(messageOf(error)) ?? [];
  if (why === undefined) return;
  throw new EvenkeelError(
    'migration-refused',
    `migrate ${name}: the API server cannot call the conversion webhook: ${why}; nothing was written; start the operator that serves it ("evenkeel doctor" finds out why it is not reachable), and run the command again`,
    { cause: error },
  );
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
