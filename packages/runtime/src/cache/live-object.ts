import type { Client, ObjectOf, RequestedKind } from '@evenkeel/client';
import { type KindClass, type KubernetesObject, ObjectKey } from '@evenkeel/core';

/**
 * Reads an object from the server. Resolves to undefined if it does not exist. It sends a list request for one object, because
 * the informer of the kind already needs the permission to list. A `get` would need another rule in the operator's role.
 */
export async function liveObject<K extends RequestedKind>(
  client: Client,
  kind: K,
  key: ObjectKey,
  signal?: AbortSignal,
): Promise<ObjectOf<K> | undefined> {
  const { items } = await client.list(kind, {
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    fields: { 'metadata.name': key.name },
    ...(signal === undefined ? {} : { signal }),
  });
  return items[0];
}

/** Whether the server still has this object (by uid) and it is not being deleted. The cached one may be stale. */
export async function isStillThere(
  client: Client,
  kind: KindClass,
  { metadata }: KubernetesObject,
  signal: AbortSignal,
): Promise<boolean> {
  const live = await liveObject(client, kind, ObjectKey.of({ metadata }), signal);
  return live !== undefined && live.metadata.uid === metadata.uid && live.metadata.deletionTimestamp === undefined;
}
