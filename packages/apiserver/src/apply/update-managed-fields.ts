import { type ManagedFieldsEntry, rfc3339, StatusError } from '@evenkeel/core';
import { schemaDefinition } from '@evenkeel/kinds/schemas';
import { compareText, isJsonObject, type JsonObject } from '../apimachinery/index.ts';
import { fieldTypeOf, SchemaMismatch } from './field-type.ts';
import { isStored, managedFieldsOf, withManagedFields } from './managed-object.ts';
import { decodeManagers, encodeManagers, isSameManager, type Manager, secondsOf, withManager } from './manager.ts';
import { changeOwnership, currentManagers, type OwnershipContext, ownable } from './ownership.ts';
import { schemaErrorsOf } from './schema-check.ts';

/** A create, update or patch, with what ownership depends on. */
export interface ManagedUpdate extends OwnershipContext {
  /** The stored object. For a create: the initial object of the kind, which has no uid. */
  readonly live: JsonObject;
  /** The result of the request after defaulting, before strategies and admission. */
  readonly updated: JsonObject;
  /** The name of the manager; see `managerNameOf`. */
  readonly manager: string;
  /** The subresource of the request. Its managers are distinct from those of the object itself. */
  readonly subresource?: string | undefined;
  readonly now: Date;
}

/** The maximum number of update entries of an object: `DefaultMaxUpdateManagers` of apimachinery's managedfields. */
export const updateManagersMax = 10;

/**
 * Computes the managedFields of an object after a create, an update or a patch other than apply. The manager owns the
 * added and changed fields. The others lose these, and all managers lose removed fields.
 *
 * The request's own managedFields have precedence over the live ones, unless it goes to a subresource. An empty list or
 * `[{}]` resets them. An object whose managedFields were reset is not tracked until the next apply. Returns undefined
 * if the object has no managedFields from now on, also because it does not fit its schema.
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
  if (!fitsSchema(update)) return [];
  try {
    return capUpdateManagers(managersAfterUpdate(update, managers));
  } catch (error) {
    // A version that the object cannot be converted to, or does not fit.
    if (error instanceof SchemaMismatch || error instanceof StatusError) return [];
    throw error;
  }
}

/** Decoding ensures it for a built-in kind. The validation of a custom resource comes later, and does not see what is ignored. */
function fitsSchema({ updated, schema }: ManagedUpdate): boolean {
  if (schema[schemaDefinition] !== undefined) return true;
  return schemaErrorsOf(updated as JsonObject, fieldTypeOf(schema), { allowsDuplicates: true }) === undefined;
}

/**
 * Returns the managers after an update.
 *
 * @throws SchemaMismatch if an object does not fit its schema.
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
 * Merges the oldest updates of one version into one entry, "ancient-changes", until at most {@link updateManagersMax}
 * are left. The entry has the time of its latest update.
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
