import { type JsonObject } from '@evenkeel/apimachinery/json';
import type { Client, MergePatch } from '@evenkeel/client';
import {
  EvenkeelError,
  ignoreNotFound,
  isNotFound,
  type KindClass,
  type KubernetesObject,
  Metadata,
  type ObjectKey,
} from '@evenkeel/core';
import { liveObject } from '../cache/live-object.ts';
import { mergePatchOf } from './json-difference.ts';
import type { WorkingObject } from './working-object.ts';

/** How much of the object a status write requests in the response. `metadata` saves reading and comparing an unused status. */
export type StatusResponse = 'whole' | 'metadata';

/**
 * Writes the changes of a run to the status subresource, as a merge patch. The precondition is the resourceVersion that was
 * read, so a status derived from an older state never overwrites a newer one. Sends nothing if nothing changed. Rejects with a
 * conflict if another client changed the object, and with `status-not-served` if the CRD does not have the subresource.
 *
 * The end or timeout of the run does not abort the request, because its results are useful even after a timeout.
 */
export async function writeStatus<T extends KubernetesObject>(
  { client, kind, controller }: { client: Client; kind: KindClass<T>; controller: string },
  key: ObjectKey,
  cached: T,
  working: WorkingObject<T>,
  response: StatusResponse,
): Promise<void> {
  // In JSON form: undefined fields are absent, and toJSON methods are applied.
  const status = JSON.parse(JSON.stringify(working.status())) as JsonObject;
  const difference = mergePatchOf(working.observedStatus, status);
  if (difference === undefined) return;
  const { resourceVersion, uid } = cached.metadata;
  const merge = { metadata: { resourceVersion, uid }, status: difference } as object as MergePatch<T>;
  try {
    await client
      .subresource(response === 'whole' ? kind : Metadata(kind), key, 'status')
      .patch({ merge }, { fieldManager: controller });
  } catch (error) {
    // For a custom resource without the subresource, the API server responds with NotFound.
    const live = isNotFound(error) ? await ignoreNotFound(liveObject(client, kind, key)) : undefined;
    throw live !== undefined && live.metadata.uid === uid ? statusNotServed(cached, key, error) : error;
  }
}

function statusNotServed({ kind }: KubernetesObject, key: ObjectKey, cause: unknown): EvenkeelError {
  return new EvenkeelError(
    'status-not-served',
    `cannot write the status of ${kind} ${key}: the API server does not serve the status of this kind; add "subresources: { status: {} }" to each version of its CRD ("evenkeel generate" does for a class with @Status) and apply it`,
    { cause },
  );
}
