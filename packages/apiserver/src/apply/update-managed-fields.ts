import { type ManagedFieldsEntry, rfc3339 } from '@evenkeel/core';
import { compareText, isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import { SchemaMismatch } from './field-type.ts';
import { isStored, managedFieldsOf, withManagedFields } from './managed-object.ts';
import { decodeManagers, encodeManagers, isSameManager, type Manager, secondsOf, withManager } from './manager.ts';
import { changeOwnership, currentManagers, type OwnershipContext, ownable } from './ownership.ts';

/** A create, update or patch as ownership sees it. */
export interface ManagedUpdate extends OwnershipContext {
  /** The stored object; for a create, what the kind starts from, without a uid. */
  readonly live: JsonObject;
  /** What the request makes of it, defaulted, before strategies and admission touch it. */
  readonly updated: JsonObject;
  /** Who asks; see `managerNameOf`. */
  readonly manager: string;
  /** The subresource the request goes to; its managers are others than those of the object itself. */
  readonly subresource?: string | undefined;
  readonly now: Date;
}

/** The most entries of updates an object keeps: `DefaultMaxUpdateManagers` of apimachinery's managedfields. */
export const updateManagersMax = 10;

/**
 * The managedFields of an object after a create, an update or a patch other than apply: the manager owns what the request
 * added and changed, and the others lose it, as well as what was removed.
 *
 * The request's own managedFields count before the live ones, unless it goes to a subresource; an empty list or `[{}]`
 * resets them. An object whose managedFields were reset is not tracked until it is applied. Undefined is the answer where
 * the object has no managedFields from now on, also where it does not fit its schema.
 */
export function updateManagedFields(update: ManagedUpdate): ManagedFieldsEntry[] | undefined {
  const { live, updated, subresource } = update;
  const requested = subresource ? undefined : managedFieldsOf(updated);
  if (isReset(requested)) return isStored(live) ? undefined : encodeManagers(managersAfter(update, []));
  const managers = readOr(requested, () => readOr(managedFieldsOf(live), () => []));
  if (managers.length === 0 && isStored(live)) return undefined;
  return encodeManagers(managersAfter(update, managers));
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  if (entries.length === 0) return true;
  return entries.length === 1 && isJsonObject(entries[0]) && Object.keys(entries[0]).length === 0;
}

function readOr(entries: unknown, otherwise: () => Manager[]): Manager[] {
  try {
    const managers = decodeManagers(entries);
    return managers.length === 0 ? otherwise() : managers;
  } catch {
    return otherwise();
  }
}

function managersAfter(update: ManagedUpdate, managers: readonly Manager[]): readonly Manager[] {
  try {
    return capUpdateManagers(managersAfterUpdate(update, managers));
  } catch (error) {
    if (error instanceof SchemaMismatch) return [];
    throw error;
  }
}

/**
 * The managers after an update.
 *
 * @throws SchemaMismatch where an object does not fit its schema.
 */
export function managersAfterUpdate(update: ManagedUpdate, managers: readonly Manager[]): readonly Manager[] {
  const before = withManagedFields(update.live, undefined);
  const after = withManagedFields(update.updated, undefined);
  const current = currentManagers(managers, update);
  const change = changeOwnership(before, after, current, update);
  const { modified, added } = change.comparison;
  const changed = ownable(modified.union(added), update);
  if (changed.isEmpty) return change.managers;
  const acting: Manager = {
    manager: update.manager,
    operation: 'Update',
    apiVersion: update.apiVersion,
    subresource: update.subresource ?? '',
    time: rfc3339(update.now),
    set: changed,
  };
  const previous = change.managers.find((manager) => isSameManager(manager, acting));
  return withManager(change.managers, { ...acting, set: previous ? changed.union(previous.set) : changed });
}

/**
 * Merges the oldest updates of one version into one entry, "ancient-changes", so that no more than
 * {@link updateManagersMax} stay. The entry has the time of the latest update in it.
 */
function capUpdateManagers(managers: readonly Manager[]): readonly Manager[] {
  const updates = managers.filter(({ operation }) => operation === 'Update');
  if (updates.length <= updateManagersMax) return managers;
  updates.sort((a, b) => secondsOf(a) - secondsOf(b) || compareText(a.manager, b.manager));

  const isAncient = ({ manager, subresource }: Manager) => manager === ancientChanges && subresource === '';
  const buckets = new Map(updates.filter(isAncient).map((manager) => [manager.apiVersion, manager]));
  const firsts = new Map<string, Manager>();
  const merged = new Set<Manager>();
  let count = updates.length;
  for (const update of updates) {
    if (count <= updateManagersMax) break;
    const first = firsts.get(update.apiVersion);
    if (first === undefined) {
      firsts.set(update.apiVersion, update);
      continue;
    }
    const bucket = buckets.get(update.apiVersion) ?? first;
    if (bucket === update) continue;
    merged.add(bucket).add(update);
    const set = update.set.union(bucket.set);
    buckets.set(update.apiVersion, { ...update, manager: ancientChanges, subresource: '', set });
    count--;
  }
  const kept = managers.filter(
    (manager) => !merged.has(manager) && !(manager.operation === 'Update' && isAncient(manager)),
  );
  return [...kept, ...buckets.values()];
}

const ancientChanges = 'ancient-changes';
