import type { Client } from '@evenkeel/client';
import { type KindClass, type KubernetesObject, ObjectKey } from '@evenkeel/core';

/**
 * An object as the server has it now; undefined where it is not there. It is asked for as a list of one: to list is what
 * the informer of its kind is allowed already, and a `get` would take another rule in every operator's role.
 */
export async function liveObject<K extends KindClass>(
  client: Client,
  kind: K,
  key: ObjectKey,
  signal?: AbortSignal,
): Promise<InstanceType<K> | undefined> {
  const { items } = await client.list(kind, {
    ...(key.namespace === undefined ? {} : { namespace: key.namespace }),
    fields: { 'metadata.name': key.name },
    ...(signal === undefined ? {} : { signal }),
  });
  return items[0] as InstanceType<K> | undefined;
}

/** Whether the server still has this very object, and it is not being deleted. The cached one may be out of date. */
export async function isStillThere(
  client: Client,
  kind: KindClass,
  { metadata }: KubernetesObject,
  signal: AbortSignal,
): Promise<boolean> {
  const live = await liveObject(client, kind, ObjectKey.of({ metadata }), signal);
  return live !== undefined && live.metadata.uid === metadata.uid && live.metadata.deletionTimestamp === undefined;
}
