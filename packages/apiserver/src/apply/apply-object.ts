import { type ManagedFieldsEntry, rfc3339, StatusError } from '@evenkeel/core';
import { isJsonObject, type JsonObject, jsonEqual, valueAt } from '../apimachinery/index.ts';
import { badPatch, patchFailed } from '../patch/patch-refusal.ts';
import { type Conflict, conflictError } from './conflict.ts';
import { type FieldType, fieldTypeOf, SchemaMismatch } from './field-type.ts';
import { pathsLastApplied, withLastApplied } from './last-applied.ts';
import { managedFieldsOf, withManagedFields } from './managed-object.ts';
import { decodeManagers, encodeManagers, isSameManager, type Manager, withManager } from './manager.ts';
import { mergeObjects } from './merge-objects.ts';
import { changeOwnership, convertTo, currentManagers, type OwnershipContext, ownable, typeAt } from './ownership.ts';
import { PathSet } from './path-set.ts';
import { pathSetOf } from './paths-of-object.ts';
import { removeFields, withNamedParents } from './remove-fields.ts';
import { schemaErrorsOf } from './schema-check.ts';
import { managersAfterUpdate } from './update-managed-fields.ts';

/** A server-side apply. */
export interface ManagedApply extends OwnershipContext {
  /** The kind's name; with `apiVersion` what the applied object must say of itself. */
  readonly kind: string;
  /** What a create of the kind starts from: `emptyBuiltIn` or `emptyCustomResource`. */
  readonly empty: JsonObject;
  /** The stored object; undefined where the apply creates it. */
  readonly live: JsonObject | undefined;
  /** What is applied, as it was parsed. */
  readonly applied: JsonObject;
  /** The request's `fieldManager`, which an apply must have. */
  readonly manager: string;
  /** Takes over what others own instead of refusing with a conflict. */
  readonly force: boolean;
  readonly subresource?: string | undefined;
  readonly now: Date;
}

/** What became of an apply. */
export type ApplyOutcome =
  | {
      readonly kind: 'applied';
      /**
       * Not yet defaulted, with the managedFields below. It shares with the live object what did not change, and with the
       * applied one what it took over. What lost all that was in it is null, as in the real server.
       */
      readonly object: JsonObject;
      readonly managedFields: ManagedFieldsEntry[] | undefined;
      /** Whether anything but the managedFields differs from the live object. */
      readonly changed: boolean;
    }
  | {
      readonly kind: 'conflict';
      /** 409 with a cause for each manager and path. */
      readonly error: StatusError;
    };

/**
 * Merges an applied configuration into the live object and makes its manager the owner of what it says: what the manager
 * applied before, does not any more, and nobody else owns, is removed.
 *
 * An object without managedFields gets an entry `before-first-apply` for all that it has. An apply by "kubectl" takes over
 * what the client-side apply's annotation says it owned, and keeps that annotation up to date.
 *
 * The entry's time is `now` where the object changes; else it stays as it was, and a new entry has none.
 *
 * @throws StatusError 400 for another kind or version than the request's and for an object with managedFields; 500, as the
 *   server answers, where the object does not fit the schema.
 */
export function applyObject(apply: ManagedApply): ApplyOutcome {
  checkApplied(apply);
  const type = fieldTypeOf(apply.schema);
  const errors = schemaErrorsOf(apply.applied, type);
  if (errors !== undefined) throw patchFailed(`failed to create typed patch object (${describe(apply)}): ${errors}`);

  const entries = apply.live && managedFieldsOf(apply.live);
  const live = withManagedFields(apply.live ?? apply.empty, undefined);
  const acting: Manager = {
    manager: apply.manager,
    operation: 'Apply',
    apiVersion: apply.apiVersion,
    subresource: apply.subresource ?? '',
    time: undefined,
    set: PathSet.empty,
  };
  try {
    const managers = currentManagers(liveManagers(apply, live, entries), apply);
    return applyTo(apply, live, managers, acting, type);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    throw patchFailed(`failed to create typed live object (${describe(apply)}): ${error.message}`);
  }
}

function checkApplied({ applied, apiVersion, kind }: ManagedApply): void {
  if (applied['apiVersion'] !== apiVersion || applied['kind'] !== kind) {
    throw badPatch(`invalid object type: ${kindOf(applied)}`);
  }
  // As in Go, a list that is there is not nil, even without entries.
  if (Array.isArray(managedFieldsOf(applied))) throw badPatch('metadata.managedFields must be nil');
}

function describe({ applied }: ManagedApply): string {
  const metadata = valueAt(applied, 'metadata');
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return `${namespace ?? ''}/${name ?? ''}; ${kindOf(applied)}`;
}

function kindOf({ apiVersion, kind }: JsonObject): string {
  const groupVersion = typeof apiVersion === 'string' ? apiVersion : '/';
  return `${groupVersion.includes('/') ? groupVersion : `/${groupVersion}`}, Kind=${kind ?? ''}`;
}

/** The live object's managers; where there are none, one who owns all that is there. */
function liveManagers(apply: ManagedApply, live: JsonObject, entries: unknown): readonly Manager[] {
  let managers: readonly Manager[];
  try {
    managers = decodeManagers(entries);
  } catch (error) {
    throw patchFailed(`failed to decode managed fields: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (managers.length > 0 || apply.live === undefined) return managers;
  return managersAfterUpdate({ ...apply, live: apply.empty, updated: live, manager: 'before-first-apply' }, []);
}

function applyTo(
  apply: ManagedApply,
  live: JsonObject,
  managers: readonly Manager[],
  acting: Manager,
  type: FieldType,
): ApplyOutcome {
  const claimed = pathSetOf(apply.applied, apply.schema);
  const { ignored } = apply;
  const set = ignored === undefined ? claimed : claimed.recursiveDifference(ignored);
  const last = managers.find((manager) => isSameManager(manager, acting));
  const current = withManager(managers, { ...acting, time: last?.time, set });

  // A create takes nothing over from what it starts from, which only ownership is measured by.
  const merged = apply.live === undefined ? apply.applied : mergeObjects(live, apply.applied, type);
  // What is all claimed again needs no pruning, which is the common case and by far the slowest step.
  const claimsLess = last !== undefined && !last.set.difference(set).isEmpty;
  const pruned = claimsLess ? prune(merged, last, current, apply) : merged;
  const change = changeOwnership(live, pruned, current, apply, acting);
  const conflicts = apply.force ? [] : remainingConflicts(change.conflicts, live, apply);
  if (conflicts.length > 0) return { kind: 'conflict', error: conflictError(conflicts) };

  const changed = !(live === pruned || jsonEqual(live, pruned));
  const managedFields = encodeManagers(
    change.managers.flatMap((manager) => {
      if (!isSameManager(manager, acting)) return [manager];
      const owned = ownable(manager.set, apply);
      if (owned.isEmpty) return [];
      return [{ ...manager, set: owned, time: changed ? rfc3339(apply.now) : manager.time }];
    }),
  );
  const object = apply.manager === 'kubectl' ? withLastApplied(pruned, apply.applied) : pruned;
  return { kind: 'applied', object: withManagedFields(object, managedFields), managedFields, changed };
}

/** The conflicts but those that an apply by "kubectl" resolves by what it applied from the client's side. */
function remainingConflicts(
  conflicts: readonly Conflict[],
  live: JsonObject,
  apply: ManagedApply,
): readonly Conflict[] {
  if (conflicts.length === 0 || apply.manager !== 'kubectl') return conflicts;
  const allowed = pathsLastApplied(live, apply);
  if (allowed === undefined) return conflicts;
  return conflicts
    .map(({ manager, paths }) => ({ manager, paths: paths.difference(allowed) }))
    .filter(({ paths }) => !paths.isEmpty);
}

/**
 * Removes what the manager applied last time but not now, unless somebody else owns it. Of what goes along with it, such
 * as a list's element whose last owned field is removed, only that stays away which the manager had owned itself.
 */
function prune(merged: JsonObject, last: Manager, managers: readonly Manager[], apply: ManagedApply): JsonObject {
  const type = typeAt(last.apiVersion, apply);
  const object = convertTo(last.apiVersion, merged, apply);
  if (type === undefined || object === undefined) return merged;

  const without = removeFields(object, withNamedParents(last.set, type), type);
  const kept = restoreOwned(object, without, last.apiVersion, managers, apply);
  const keptPaths = withNamedParents(pathSetAt(last.apiVersion, kept, apply), type);
  const allPaths = withNamedParents(pathSetAt(last.apiVersion, object, apply), type);
  const gone = allPaths.difference(keptPaths).intersection(withNamedParents(last.set, type));
  const pruned = removeFields(object, gone, type);
  return convertVersion(apply.apiVersion, last.apiVersion, pruned, apply) ?? merged;
}

/** Puts back what anybody owns, version by version, that of the manager's last apply first. */
function restoreOwned(
  merged: JsonObject,
  without: JsonObject,
  lastVersion: string,
  managers: readonly Manager[],
  apply: ManagedApply,
): JsonObject {
  const owned = new Map<string, PathSet>([[lastVersion, PathSet.empty]]);
  for (const { apiVersion, set } of managers)
    owned.set(apiVersion, (owned.get(apiVersion) ?? PathSet.empty).union(set));
  let kept = without;
  for (const [apiVersion, set] of owned) {
    const type = typeAt(apiVersion, apply);
    const all = convertVersion(apiVersion, lastVersion, merged, apply);
    const left = convertVersion(apiVersion, lastVersion, kept, apply);
    if (type === undefined || all === undefined || left === undefined) continue;
    const present = withNamedParents(pathSetAt(apiVersion, left, apply), type).union(withNamedParents(set, type));
    const gone = withNamedParents(pathSetAt(apiVersion, all, apply), type).difference(present);
    const restored = removeFields(all, gone, type);
    kept = convertVersion(lastVersion, apiVersion, restored, apply) ?? kept;
  }
  return kept;
}

function convertVersion(to: string, from: string, object: JsonObject, apply: ManagedApply): JsonObject | undefined {
  if (to === from) return object;
  return to === apply.apiVersion ? apply.versionOf?.(to)?.convert(object) : convertTo(to, object, apply);
}

function pathSetAt(apiVersion: string, object: JsonObject, apply: ManagedApply): PathSet {
  const schema = apiVersion === apply.apiVersion ? apply.schema : apply.versionOf?.(apiVersion)?.schema;
  return schema === undefined ? PathSet.empty : pathSetOf(object, schema);
}
