import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { LossyFields } from '@evenkeel/core';
import { form, type OptionForm } from './option-form.ts';
import { shown } from './option-reader.ts';

/** The reasons by the paths of the fields: between the version and another, and of stored objects. */
export type AcceptedLosses = Readonly<Record<keyof LossyFields, ReadonlyMap<string, string>>>;

export function acceptedLosses({ versions = {}, stored = {} }: LossyFields = {}): AcceptedLosses {
  return { versions: new Map(Object.entries(versions)), stored: new Map(Object.entries(stored)) };
}

/** The value of `lossy` that accepts a loss of these fields, as code. */
export function lossyCode(sort: keyof LossyFields, paths: readonly string[]): string {
  const entries = paths.map((path) => `'${path}': '<reason>'`);
  return `lossy: { ${sort}: { ${entries.slice(0, entriesShown).join(', ')}${entries.length > entriesShown ? ', ...' : ''} } }`;
}

/** The other paths are in the details of the message. */
const entriesShown = 6;

const sorts: readonly string[] = ['versions', 'stored'] satisfies readonly (keyof LossyFields)[];

const fields = form<LossyFields>(
  `an object with the reason of each field, as in ${lossyCode('versions', ['spec.color'])} for fields that differ between versions, or ${lossyCode('stored', ['spec.color'])} for objects that are stored under the released CRD; remove it, and the error lists the fields`,
  (value) => emptyReason(value) === undefined && hasForm(value),
);

/** The form of the option `lossy`. */
export const lossyFields: OptionForm<LossyFields> = {
  ...fields,
  problemOf: (value) => {
    const [sort, field, reason] = emptyReason(value) ?? [];
    if (sort === undefined) return undefined;
    return `lossy.${sort}: the reason of ${field} is ${shown(reason)}; write why its loss is acceptable, as a string that is not empty`;
  },
};

function hasForm(value: unknown): boolean {
  return (
    isJsonObject(value) &&
    Object.entries(value).every(
      ([sort, reasons]) => sorts.includes(sort) && (reasons === undefined || isJsonObject(reasons)),
    )
  );
}

/** The first field without a reason. */
function emptyReason(value: unknown): [sort: string, field: string, reason: unknown] | undefined {
  if (!hasForm(value)) return undefined;
  for (const [sort, reasons] of Object.entries(value as LossyFields)) {
    for (const [field, reason] of Object.entries<unknown>(reasons ?? {})) {
      if (typeof reason !== 'string' || reason.trim() === '') return [sort, field, reason];
    }
  }
  return undefined;
}
