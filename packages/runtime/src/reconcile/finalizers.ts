import type { Client, MergePatch } from '@evenkeel/client';
import {
  type FinalizerName,
  isConflict,
  isInvalid,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  ObjectKey,
} from '@evenkeel/core';
import { handOut } from '../cache/hand-out.ts';
import { liveObject } from '../cache/live-object.ts';
import type { ReconcileContext } from './reconcile-context.ts';

/** One finalizer of a controller, with the user's method. */
export interface ObjectFinalizer<T extends KubernetesObject = KubernetesObject> {
  readonly name: FinalizerName;
  /** The name of the method in messages: `NginxController.removeRecord`. */
  readonly member: string;
  readonly finalize: (object: T, context: ReconcileContext) => unknown;
}

export interface FinalizerWriter<T extends KubernetesObject> {
  readonly client: Client;
  readonly kind: KindClass<T>;
  readonly controller: string;
}

/** Others may change the list between the read and the write. More conflicts in a row are not a coincidence. */
const triesToRemove = 5;

/** Returns the finalizers that the object does not have. */
export function missingFinalizers(object: KubernetesObject, finalizers: readonly ObjectFinalizer<never>[]): string[] {
  const { finalizers: present = [] } = object.metadata;
  return finalizers.map(({ name }) => name).filter((name) => !present.includes(name));
}

/**
 * Appends finalizers to those of an object. The precondition is the resourceVersion that was read, because the list is
 * replaced as a whole and must keep the finalizers of others. Rejects on a conflict. Resolves to the object in the response,
 * frozen like cached objects.
 */
export async function addFinalizers<T extends KubernetesObject>(
  { client, kind, controller }: FinalizerWriter<T>,
  object: T,
  names: readonly string[],
): Promise<T> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  const merge = { metadata: { uid, resourceVersion, finalizers: [...finalizers, ...names] } } as MergePatch<T>;
  return asCached(kind, await client.patch(kind, ObjectKey.of(object), { merge }, { fieldManager: controller }));
}

/**
 * Removes one finalizer from an object and changes nothing else, even if others change the object at the same time. Resolves
 * to the object in the response, or undefined if it is gone.
 *
 * The end of the run does not abort the request: the finalizer's work is done, and this must be recorded.
 */
export async function removeFinalizer<T extends KubernetesObject>(
  { client, kind, controller }: FinalizerWriter<T>,
  object: T,
  name: string,
): Promise<T | undefined> {
  const key = ObjectKey.of(object);
  const { uid } = object.metadata;
  let current = object;
  for (let attempt = 1; ; attempt++) {
    const index = current.metadata.finalizers?.indexOf(name) ?? -1;
    if (index < 0) return asCached(kind, current);
    const path = `/metadata/finalizers/${index}`;
    const json = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'test', path, value: name },
      { op: 'remove', path },
    ] as const;
    try {
      return asCached(kind, await client.patch(kind, key, { json }, { fieldManager: controller }));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      // The API server reports a failed test as Invalid.
      if (attempt === triesToRemove || !(isInvalid(error) || isConflict(error))) throw error;
    }
    const live = await liveObject(client, kind, key);
    if (live === undefined || live.metadata.uid !== uid) return undefined;
    current = live as unknown as T;
  }
}

/**
 * The finalizers that were removed from objects that the cache still contains. Removing the last one deletes the object, and
 * the response has a version that the cache has already passed before it receives the deletion.
 */
export class DoneFinalizers {
  readonly #done = new Map<string, { readonly uid: string | undefined; readonly names: Set<string> }>();

  add(object: KubernetesObject, name: string): void {
    const key = String(ObjectKey.of(object));
    const { uid } = object.metadata;
    const known = this.#done.get(key);
    if (known?.uid === uid) known?.names.add(name);
    else this.#done.set(key, { uid, names: new Set([name]) });
  }

  has(object: KubernetesObject, name: string): boolean {
    const known = this.#done.get(String(ObjectKey.of(object)));
    return known !== undefined && known.uid === object.metadata.uid && known.names.has(name);
  }

  /** Drops the state of an object that is gone. */
  forget(key: ObjectKey): void {
    this.#done.delete(String(key));
  }
}

/** Returns a response in the form of a cached object. */
function asCached<T extends KubernetesObject>(kind: KindClass<T>, answer: unknown): T {
  const object = answer as T;
  if (Object.isFrozen(object)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return handOut({ ...object, metadata }, kind.prototype as object);
}
