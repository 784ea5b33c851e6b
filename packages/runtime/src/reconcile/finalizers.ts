import type { Client } from '@evenkeel/client';
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
import { liveObject } from './live-object.ts';
import type { ReconcileContext } from './reconcile-context.ts';

/** One finalizer of a controller, around the user's method. */
export interface ObjectFinalizer<T extends KubernetesObject = KubernetesObject> {
  readonly name: FinalizerName;
  /** Names the method in messages: `NginxController.removeRecord`. */
  readonly member: string;
  readonly finalize: (object: T, context: ReconcileContext) => unknown;
}

export interface FinalizerWriter<T extends KubernetesObject> {
  readonly client: Client;
  readonly kind: KindClass<T>;
  readonly controller: string;
}

/** Others may write the list between our reading it and our writing it; more often in a row is no coincidence. */
const triesToRemove = 5;

/** The finalizers that are not on the object. */
export function missingFinalizers(object: KubernetesObject, finalizers: readonly ObjectFinalizer<never>[]): string[] {
  const { finalizers: present = [] } = object.metadata;
  return finalizers.map(({ name }) => name).filter((name) => !present.includes(name));
}

/**
 * Puts finalizers on an object, behind those that are there, for exactly the version that was read. Rejects with a conflict
 * where somebody wrote the object meanwhile: the list is written whole, and must lose nobody's. Resolves to the object as
 * the server has it then, frozen as cached ones are.
 */
export async function addFinalizers<T extends KubernetesObject>(
  { client, kind, controller }: FinalizerWriter<T>,
  object: T,
  names: readonly string[],
): Promise<T> {
  const { uid, resourceVersion, finalizers = [] } = object.metadata;
  const merge = { metadata: { uid, resourceVersion, finalizers: [...finalizers, ...names] } };
  return asCached(kind, await client.patch(kind, ObjectKey.of(object), { merge }, { fieldManager: controller }));
}

/**
 * Takes a finalizer off an object, and nothing else, whatever others write to it at the same time. Resolves to the object as
 * the server has it then; undefined where it is gone.
 *
 * The request is not aborted with the run: the work is done, and that has to be written down.
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
      // A test that fails is told as Invalid.
      if (attempt === triesToRemove || !(isInvalid(error) || isConflict(error))) throw error;
    }
    const live = await liveObject(client, kind, key);
    if (live === undefined || live.metadata.uid !== uid) return undefined;
    current = live as unknown as T;
  }
}

/**
 * Which finalizers have been taken off objects that the cache still has. The write that takes the last one off removes the
 * object, and its answer has a version that the cache has passed before it hears of that.
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

  /** Forgets an object that is gone. */
  forget(key: ObjectKey): void {
    this.#done.delete(String(key));
  }
}

/** An answer as the cache would hand it out. */
function asCached<T extends KubernetesObject>(kind: KindClass<T>, answer: unknown): T {
  const object = answer as T;
  if (Object.isFrozen(object)) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return handOut({ ...object, metadata }, kind.prototype as object);
}
