import { isJsonObject, type JsonObject } from '@evenkeel/apimachinery/json';
import type { ManagedFieldsEntry } from '@evenkeel/core';

/** A field manager, and which fields of the conversion of a CRD it owns. */
export interface ConversionOwner extends Pick<ManagedFieldsEntry, 'manager' | 'operation'> {
  /** What its `fieldsV1` has at `f:spec`, `f:conversion`. */
  readonly fields: JsonObject;
}

const specKey = 'f:spec';
const conversionKey = 'f:conversion';

/** Returns the owners of the conversion of a CRD. */
export function conversionOwners(entries: readonly ManagedFieldsEntry[] = []): ConversionOwner[] {
  return entries.flatMap(({ manager, operation, subresource, fieldsV1 = {} }) => {
    const spec = fieldsV1[specKey];
    const fields = isJsonObject(spec) ? spec[conversionKey] : undefined;
    if (subresource !== undefined || !isJsonObject(fields)) return [];
    return [
      { ...(manager === undefined ? {} : { manager }), ...(operation === undefined ? {} : { operation }), fields },
    ];
  });
}

/** Returns the `managedFields` of a CRD in which exactly `owners` own fields of its conversion. */
export function withConversionOwners(
  entries: readonly ManagedFieldsEntry[] = [],
  owners: readonly ConversionOwner[],
): ManagedFieldsEntry[] {
  const isOf = (entry: ManagedFieldsEntry, { manager, operation }: ConversionOwner): boolean =>
    entry.subresource === undefined && entry.manager === manager && entry.operation === operation;
  const added = owners
    .filter((owner) => !entries.some((entry) => isOf(entry, owner)))
    .map(
      ({ manager, operation }): ManagedFieldsEntry => ({
        ...(manager === undefined ? {} : { manager }),
        ...(operation === undefined ? {} : { operation }),
        ...{ apiVersion: 'apiextensions.k8s.io/v1', fieldsType: 'FieldsV1' },
      }),
    );
  return [...entries, ...added].flatMap((entry) => {
    if (entry.subresource !== undefined) return [entry];
    const { [specKey]: spec, ...others } = entry.fieldsV1 ?? {};
    const { [conversionKey]: _, ...rest } = isJsonObject(spec) ? spec : {};
    const fields = owners.find((owner) => isOf(entry, owner))?.fields;
    const owned = { ...rest, ...(fields === undefined ? {} : { [conversionKey]: fields }) };
    const fieldsV1 = { ...others, ...(Object.keys(owned).length === 0 ? {} : { [specKey]: owned }) };
    return Object.keys(fieldsV1).length === 0 ? [] : [{ ...entry, fieldsV1 }];
  });
}

/** Returns the `fieldsV1` of a manager that owns all of an object: its fields at every depth, and lists as a whole. */
export function allFieldsOf(value: object): JsonObject {
  const fields = Object.entries(value).map(([name, inner]) => [
    `f:${name}`,
    isJsonObject(inner) ? allFieldsOf(inner) : {},
  ]);
  return { '.': {}, ...Object.fromEntries(fields) };
}
