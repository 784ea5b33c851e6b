import { rfc3339 } from '@evenkeel/core';
import { copyJson, stringifyJson } from '../apimachinery/index.ts';
import { type ApiObject } from '../kind/api-object.ts';
import type { KindDescription } from '../kind/kind-description.ts';
import type { DeleteOptions } from '../kind/strategy.ts';
import { conflict, notFound } from '../status/refusal.ts';
import type { StoredObject } from '../store/stored-object.ts';
import type { ObjectRegistry } from './object-registry.ts';
import type { WriteRequest } from './write-request.ts';

export interface DeleteResult {
  /** The object's last state or, if it is kept, its new state, in the version of the request. */
  readonly object: ApiObject;
  /** False if finalizers or a grace period keep the object. */
  readonly deleted: boolean;
}

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/** How a deletion takes part in admission. */
export interface DeletionTerms {
  /** Default true. */
  readonly asksWebhooks?: boolean;
  /** Whether the request deletes a collection. Default false. */
  readonly inCollection?: boolean;
}

/**
 * Deletes an object, or marks it as terminating if finalizers, a grace period or the propagation policy keep it: the
 * generic registry's `Delete`.
 */
export async function deleteObject(
  registry: ObjectRegistry,
  request: WriteRequest,
  options: DeleteOptions,
  { asksWebhooks = true, inCollection = false }: DeletionTerms = {},
): Promise<DeleteResult> {
  const { kind, name, namespace } = request;
  const find = (): StoredObject => {
    const existing = registry.store.get(kind.storageKey, namespace, name);
    if (existing === undefined) throw notFound(kind.names, name);
    return existing;
  };
  find();
  await registry.admit({ request, operation: 'DELETE', name });
  await request.codec.prepare?.([find().object]);
  let existing = find();
  checkPreconditions(kind, existing.object, options);
  while (asksWebhooks && !isPending(kind, existing.object, options, registry.clock.now())) {
    // Upstream does not name the objects of a collection.
    const asking = registry.admitDeletion(
      request,
      inCollection ? '' : name,
      request.codec.fromStorage(existing.object),
      options,
    );
    if (asking === undefined) break;
    await asking;
    const asked = existing;
    await request.codec.prepare?.([find().object]);
    existing = find();
    if (existing === asked) break;
    checkPreconditions(kind, existing.object, options);
  }
  const { object, deleted } = deleteStored(registry, request, existing, options);
  await request.codec.prepare?.([object]);
  return { object: request.codec.fromStorage(object), deleted };
}

/** The object of the result is in its stored form. */
function deleteStored(
  registry: ObjectRegistry,
  request: WriteRequest,
  existing: StoredObject,
  options: DeleteOptions,
): DeleteResult {
  const { kind, dryRun, namespace, name, user } = request;
  const { strategy, storageKey } = kind;
  const { object: old } = existing;
  const now = registry.clock.now();
  const object: ApiObject = copyJson(old);
  const finish = (result: ApiObject, deleted: boolean): DeleteResult => ({ object: result, deleted });

  const grace = gracefulDeletion(kind, object, options, now);
  if (grace === 'pending') return finish(old, false);
  const finalizers = finalizersOf(kind, old, options);
  if (finalizers.length > 0) object.metadata.finalizers = finalizers;
  else delete object.metadata.finalizers;

  const held = finalizers.length > 0 || (strategy.otherFinalizers?.(object) ?? []).length > 0;
  if (held || grace === 'graceful') {
    if (grace !== 'graceful') markAsDeleting(object, now);
    strategy.markDeleting?.(object);
    const kept = held || (object.metadata.deletionGracePeriodSeconds ?? 0) > 0;
    if (kept) {
      if (dryRun || stringifyJson(object) === stringifyJson(old)) return finish(object, false);
      return finish(registry.store.put(storageKey, namespace, name, object, user).object, false);
    }
  }
  if (dryRun) return finish(object, true);
  // A deletion with a grace period of zero, of a kind that supports one, first stores the terminating object.
  if (grace === 'graceful') registry.store.put(storageKey, namespace, name, object, user);
  const removed = registry.store.remove(storageKey, namespace, name, user);
  strategy.afterStore?.(undefined, old, registry.contextOf(request));
  return finish(removed.object, true);
}

/** Throws StatusError 409 if an object differs from what a deletion expects. */
export function checkPreconditions(
  kind: KindDescription,
  { metadata }: ApiObject,
  { preconditions }: DeleteOptions,
): void {
  if (preconditions === undefined) return;
  const resource = { group: kind.names.group, plural: kind.names.kind };
  const { uid, resourceVersion } = preconditions;
  if (uid !== undefined && uid !== metadata.uid) {
    const why = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`;
    throw conflict(resource, metadata.name, why);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`;
    throw conflict(resource, metadata.name, why);
  }
}

/** Whether a graceful deletion is under way that this one does not shorten. */
function isPending(kind: KindDescription, object: ApiObject, options: DeleteOptions, now: number): boolean {
  if (object.metadata.deletionTimestamp === undefined) return false;
  return gracefulDeletion(kind, copyJson(object), options, now) === 'pending';
}

/** `rest.BeforeDelete`: sets the times of a graceful deletion. Changes `object`. */
function gracefulDeletion(
  { strategy }: KindDescription,
  object: ApiObject,
  options: DeleteOptions,
  now: number,
): 'none' | 'graceful' | 'pending' {
  if (strategy.gracefulDeletion === undefined) return 'none';
  const { metadata } = object;
  const asked = options.gracePeriodSeconds;
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  if (metadata.deletionTimestamp !== undefined) {
    const current = metadata.deletionGracePeriodSeconds ?? 0;
    if (current === 0) return 'none';
    if (wanted === undefined || wanted >= current) return 'pending';
    const start = Date.parse(metadata.deletionTimestamp) - current * 1000;
    const end = start + wanted * 1000;
    metadata.deletionTimestamp = rfc3339(new Date(Math.max(end, now)));
    metadata.deletionGracePeriodSeconds = end < now && wanted !== 0 ? 1 : wanted;
    return 'graceful';
  }
  const seconds = strategy.gracefulDeletion(object, {
    ...options,
    ...(wanted !== undefined && { gracePeriodSeconds: wanted }),
  });
  if (seconds === undefined) return 'none';
  metadata.deletionTimestamp = rfc3339(new Date(now + seconds * 1000));
  metadata.deletionGracePeriodSeconds = seconds;
  if ((metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  return 'graceful';
}

function markAsDeleting({ metadata }: ApiObject, now: number): void {
  if (metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0) {
    metadata.generation = (metadata.generation ?? 0) + 1;
  }
  if (metadata.deletionTimestamp === undefined || Date.parse(metadata.deletionTimestamp) > now) {
    metadata.deletionTimestamp = rfc3339(new Date(now));
  }
  metadata.deletionGracePeriodSeconds = 0;
}

/** The finalizers after applying the propagation policy (`deletionFinalizersForGarbageCollection`). */
function finalizersOf({ strategy }: KindDescription, { metadata }: ApiObject, options: DeleteOptions): string[] {
  const present = metadata.finalizers ?? [];
  const others = present.filter((finalizer) => finalizer !== orphanFinalizer && finalizer !== foregroundFinalizer);
  const policy = strategy.garbageCollection ?? 'DeleteDependents';
  if (policy === 'Unsupported') return [...others];
  const { orphanDependents, propagationPolicy } = options;
  let orphan: boolean;
  let foreground: boolean;
  if (orphanDependents !== undefined) {
    orphan = orphanDependents;
    foreground = false;
  } else if (propagationPolicy !== undefined) {
    orphan = propagationPolicy === 'Orphan';
    foreground = propagationPolicy === 'Foreground';
  } else {
    const asked = present.find((finalizer) => finalizer === orphanFinalizer || finalizer === foregroundFinalizer);
    orphan = asked === undefined ? policy === 'OrphanDependents' : asked === orphanFinalizer;
    foreground = asked === foregroundFinalizer;
  }
  return [...others, ...(orphan ? [orphanFinalizer] : []), ...(foreground ? [foregroundFinalizer] : [])];
}
