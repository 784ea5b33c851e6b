import { type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client } from '@evenkeel/client';
import {
  EvenkeelError,
  ignoreNotFound,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  Metadata,
  type ObjectKey,
} from '@evenkeel/core';
import { mergePatchOf } from './json-difference.ts';
import { liveObject } from './live-object.ts';
import type { WorkingObject } from './working-object.ts';

/** How much of its answer a status write asks for. What nobody reads need not be read, and copied, and compared. */
export type StatusAnswer = 'whole' | 'metadata';

/**
 * Writes what a run changed in the status: a merge patch of the difference, to the status subresource, for exactly the
 * version that was read. Sends nothing where nothing changed. Rejects with a conflict where somebody wrote the object
 * meanwhile, so that a conclusion drawn from an older state is never written over a newer one, and with `status-not-served`
 * where the kind's CRD has no such subresource.
 *
 * The request is not aborted with the run: what a reconcile found out before its time was over is worth keeping.
 */
export async function writeStatus<T extends KubernetesObject>(
  { client, kind, controller }: { client: Client; kind: KindClass<T>; controller: string },
  key: ObjectKey,
  cached: T,
  working: WorkingObject<T>,
  answer: StatusAnswer,
): Promise<void> {
  // As JSON has it: what is undefined is absent, whatever has a toJSON is what that says.
  const status = JSON.parse(JSON.stringify(working.status())) as JsonObject;
  const difference = mergePatchOf(working.observedStatus, status);
  if (difference === undefined) return;
  const { resourceVersion, uid } = cached.metadata;
  try {
    await client
      .subresource(answer === 'whole' ? kind : Metadata(kind), key, 'status')
      .patch({ merge: { metadata: { resourceVersion, uid }, status: difference } }, { fieldManager: controller });
  } catch (error) {
    // A custom resource without the subresource is refused as one that is not there.
    const live = isNotFound(error) ? await ignoreNotFound(liveObject(client, kind, key)) : undefined;
    throw live !== undefined && live.metadata.uid === uid ? statusNotServed(cached, key, error) : error;
  }
}

function statusNotServed({ kind }: KubernetesObject, key: ObjectKey, cause: unknown): EvenkeelError {
  return new EvenkeelError(
    'status-not-served',
    `the status of ${kind} ${key} cannot be written: the API server serves no status of the kind; add "subresources: { status: {} }" to each version of its CRD ("evenkeel generate" does for a class with @Status) and apply it`,
    { cause },
  );
}
