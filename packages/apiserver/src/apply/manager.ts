import type { ManagedFieldsEntry } from '@evenkeel/core';
import { compareText, fieldManagerBytesMax, isPrintable } from '../apimachinery/index.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';
import type { PathSet } from './path-set.ts';

/** One entry of `metadata.managedFields`, read: who owns which paths, as of which version of the kind. */
export interface Manager {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339; an entry of an apply that changed nothing has none. */
  readonly time: string | undefined;
  readonly set: PathSet;
}

/** Whether two entries are the same manager's. An applier is the same in every version. */
export function isSameManager(a: Manager, b: Manager): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

/** `managers` with `manager` in the place of the same manager's entry, or at the end. */
export function withManager(managers: readonly Manager[], manager: Manager): Manager[] {
  return [...managers.filter((other) => !isSameManager(other, manager)), manager];
}

/**
 * Reads `metadata.managedFields`. Of several entries of the same manager the last counts.
 *
 * @throws Error for what is not a list of such entries.
 */
export function decodeManagers(entries: unknown): Manager[] {
  if (entries === undefined || entries === null) return [];
  if (!Array.isArray(entries)) throw new Error('managedFields is not a list');
  // By identity, because a request may hold more entries than pairs of them could be compared.
  const managers = new Map<string, Manager>();
  for (const [index, entry] of (entries as (ManagedFieldsEntry | null)[]).entries()) {
    const manager = decodeManager(entry, index);
    const version = manager.operation === 'Apply' ? '' : manager.apiVersion;
    const identity = `${manager.manager}\n${manager.operation}\n${version}\n${manager.subresource}`;
    managers.delete(identity);
    managers.set(identity, manager);
  }
  return [...managers.values()];
}

function decodeManager(entry: ManagedFieldsEntry | null, index: number): Manager {
  if (entry?.operation !== 'Apply' && entry?.operation !== 'Update') {
    throw new Error('operation must be `Apply` or `Update`');
  }
  if (!entry.apiVersion) throw new Error('apiVersion must not be empty');
  if (!entry.fieldsType) throw new Error(`missing fieldsType in managed fields entry ${index}`);
  if (entry.fieldsType !== 'FieldsV1') {
    throw new Error(`invalid fieldsType "${entry.fieldsType}" in managed fields entry ${index}`);
  }
  return {
    manager: entry.manager ?? '',
    operation: entry.operation,
    apiVersion: entry.apiVersion,
    subresource: entry.subresource ?? '',
    time: entry.time,
    set: decodeFieldsV1(entry.fieldsV1),
  };
}

/** Writes `metadata.managedFields` in the server's order; undefined where nobody owns anything. */
export function encodeManagers(managers: readonly Manager[]): ManagedFieldsEntry[] | undefined {
  if (managers.length === 0) return undefined;
  return [...managers].sort(compareManagers).map((manager) => ({
    ...(manager.manager === '' ? {} : { manager: manager.manager }),
    operation: manager.operation,
    apiVersion: manager.apiVersion,
    ...(manager.time === undefined ? {} : { time: manager.time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(manager.set),
    ...(manager.subresource === '' ? {} : { subresource: manager.subresource }),
  }));
}

/** Appliers first, then by time to the second, by name, version and subresource. */
function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    secondsOf(a) - secondsOf(b) ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

/** The Unix time of an entry, 0 for one without a time. */
export function secondsOf({ time }: Manager): number {
  return time === undefined ? 0 : Math.floor(Date.parse(time) / 1000);
}

/**
 * The name under which a request owns fields: its `fieldManager`, else what stands before the first slash of its
 * User-Agent, printable characters only, cut at {@link fieldManagerBytesMax}.
 */
export function managerNameOf(fieldManager: string | undefined, userAgent: string | undefined): string {
  if (fieldManager) return fieldManager;
  let name = '';
  let bytes = 0;
  for (const character of (userAgent ?? '').split('/', 1)[0] ?? '') {
    if (!isPrintable(character)) continue;
    bytes += Buffer.byteLength(character);
    if (bytes > fieldManagerBytesMax) break;
    name += character;
  }
  return name || 'unknown';
}
