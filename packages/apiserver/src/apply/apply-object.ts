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
  /** The kind's name. The applied object must have this kind and the request's `apiVersion`. */
  readonly kind: string;
  /** The initial object of a create: `emptyBuiltIn` or `emptyCustomResource`. */
  readonly empty: JsonObject;
  /** The stored object; undefined if the apply creates it. */
  readonly live: JsonObject | undefined;
  /** The applied object as parsed. */
  readonly applied: JsonObject;
  /** The request's `fieldManager`, which is required for an apply. */
  readonly manager: string;
  /** Takes over fields of other owners instead of failing with a conflict. */
  readonly force: boolean;
  readonly subresource?: string | undefined;
  readonly now: Date;
}

/** The result of an apply. */
export type ApplyOutcome =
  | {
      readonly kind: 'applied';
      /**
       * The merged object before defaulting, with the managedFields below. It shares unchanged parts with the live
       * object, and new parts with the applied one. A value that lost all of its content is null, as in the real
       * server.
       */
      readonly object: JsonObject;
      readonly managedFields: ManagedFieldsEntry[] | undefined;
      /** Whether anything except the managedFields differs from the live object. */
      readonly changed: boolean;
    }
  | {
      readonly kind: 'conflict';
      /** 409 with a cause for each manager and path. */
      readonly error: StatusError;
    };

/**
 * Merges an applied configuration into the live object and makes its manager the owner of the applied fields. Removes
 * fields that the manager applied before, no longer applies, and that have no other owner.
 *
 * An object without managedFields gets an entry `before-first-apply` that owns all of its fields. An apply by "kubectl"
 * takes over the fields that the annotation of the client-side apply lists, and updates that annotation.
 *
 * The entry's time is `now` if the object changes. Otherwise the time does not change, and a new entry has none.
 *
 * @throws StatusError 400 for another kind or version than the request's and for an object with managedFields; 500, as
 *   the server responds, if the object does not fit the schema.
 */
export function applyObject(apply: ManagedApply): ApplyOutcome {
  checkApplied(apply);
  const type = fieldTypeOf(apply.schema);
  const errors = schemaErrorsOf(apply.applied, type);
  if (errors !== undefined)
    throw patchFailed(`failed to create typed patch object (${describeObject(apply.applied)}): ${errors}`);

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
    throw patchFailed(`failed to create typed live object (${describeObject(apply.applied)}): ${error.message}`);
  }
}

function checkApplied({ applied, apiVersion, kind }: ManagedApply): void {
  if (applied['apiVersion'] !== apiVersion || applied['kind'] !== kind) {
    throw badPatch(`invalid object type: ${typeOf(applied)}`);
  }
  // As in Go, an empty list is not nil.
  if (Array.isArray(managedFieldsOf(applied))) throw badPatch('metadata.managedFields must be nil');
}

/** The namespace, name and type of an applied object in error messages. */
export function describeObject(applied: JsonObject): string {
  const metadata = valueAt(applied, 'metadata');
  const { namespace, name } = isJsonObject(metadata) ? metadata : {};
  return `${namespace ?? ''}/${name ?? ''}; ${typeOf(applied)}`;
}

/** The type of an applied object in error messages. */
export function typeOf({ apiVersion, kind }: JsonObject): string {
  const groupVersion = typeof apiVersion === 'string' ? apiVersion : '/';
  return `${groupVersion.includes('/') ? groupVersion : `/${groupVersion}`}, Kind=${typeof kind === 'string' ? kind : ''}`;
}

/** Returns the live object's managers or, if there are none, one that owns all fields. */
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

  // A create does not merge with the initial object, which only serves to compute ownership.
  const merged = apply.live === undefined ? apply.applied : mergeObjects(live, apply.applied, type);
  // Pruning is by far the slowest step, and unnecessary in the common case that all fields are claimed again. In another
  // version, it also removes fields that the conversion there and back loses.
  const prunes =
    last !== undefined &&
    !last.set.isEmpty &&
    (last.apiVersion !== apply.apiVersion || !last.set.difference(set).isEmpty);
  const pruned = prunes ? within('failed to prune fields', () => prune(merged, last, current, apply)) : merged;
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

/** Returns the conflicts, except those that an apply by "kubectl" resolves because of its earlier client-side apply. */
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
 * Removes fields that the manager applied last time but not now, unless another manager owns them. Removing the last
 * owned field of a list element also removes the element's other content. Of that content, only fields that the manager
 * owned stay removed.
 */
function prune(merged: JsonObject, last: Manager, managers: readonly Manager[], apply: ManagedApply): JsonObject {
  const type = typeAt(last.apiVersion, apply);
  const object = within('failed to convert merged object to last applied version', () =>
    convertTo(last.apiVersion, merged, apply),
  );
  if (type === undefined || object === undefined) return merged;

  const without = removeFields(object, withNamedParents(last.set, type), type);
  const kept = within('failed add back owned items', () =>
    restoreOwned(object, without, last.apiVersion, managers, apply),
  );
  const keptPaths = withNamedParents(pathSetAt(last.apiVersion, kept, apply), type);
  const allPaths = withNamedParents(pathSetAt(last.apiVersion, object, apply), type);
  const gone = allPaths.difference(keptPaths).intersection(withNamedParents(last.set, type));
  const pruned = removeFields(object, gone, type);
  return convertVersion(apply.apiVersion, last.apiVersion, pruned, apply) ?? merged;
}

/** Restores all owned fields version by version, starting with the version of the manager's last apply. */
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
    const all = within(`failed to convert merged object at version ${apiVersion}`, () =>
      convertVersion(apiVersion, lastVersion, merged, apply),
    );
    const before = kept;
    const left = within(`failed to convert pruned object at version ${apiVersion}`, () =>
      convertVersion(apiVersion, lastVersion, before, apply),
    );
    if (type === undefined || all === undefined || left === undefined) continue;
    const present = withNamedParents(pathSetAt(apiVersion, left, apply), type).union(withNamedParents(set, type));
    const gone = withNamedParents(pathSetAt(apiVersion, all, apply), type).difference(present);
    const restored = removeFields(all, gone, type);
    kept = convertVersion(lastVersion, apiVersion, restored, apply) ?? kept;
  }
  return kept;
}

/** Adds to the message of a conversion that fails what failed with it. */
function within<T>(what: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    throw new StatusError({ ...error.status, message: `${what}: ${error.message}` });
  }
}

function convertVersion(to: string, from: string, object: JsonObject, apply: ManagedApply): JsonObject | undefined {
  if (to === from) return object;
  return to === apply.apiVersion ? apply.versionOf?.(to)?.convert(object) : convertTo(to, object, apply);
}

function pathSetAt(apiVersion: string, object: JsonObject, apply: ManagedApply): PathSet {
  const schema = apiVersion === apply.apiVersion ? apply.schema : apply.versionOf?.(apiVersion)?.schema;
  return schema === undefined ? PathSet.empty : pathSetOf(object, schema);
}
