import { isJsonObject } from '@evenkeel/apimachinery/json';
import type { LossyFields } from '@evenkeel/core';
import { form } from './option-form.ts';

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

export const lossyFields = form<LossyFields>(
  `an object with the reason of each field, as in ${lossyCode('versions', ['spec.color'])} for fields that differ between versions, or ${lossyCode('stored', ['spec.color'])} for objects that are stored under the released CRD; remove it, and the error lists the fields`,
  (value) =>
    isJsonObject(value) && Object.entries(value).every(([sort, fields]) => sorts.includes(sort) && isReasons(fields)),
);

function isReasons(value: unknown): boolean {
  return (
    value === undefined ||
    (isJsonObject(value) && Object.values(value).every((reason) => typeof reason === 'string' && reason.trim() !== ''))
  );
}
