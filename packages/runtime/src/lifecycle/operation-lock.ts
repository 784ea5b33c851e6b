import type { Client } from '@evenkeel/client';
import { ignoreNotFound, isAlreadyExists, type KubernetesObject, type Metadata, ObjectKey } from '@evenkeel/core';
import { Lease } from '@evenkeel/kinds';
import type { Lister } from '../cache/lister.ts';

/** The Lease that an operation holds while it runs. */
export interface OperationLock {
  /** The name of the Lease, for example `deployment-web`. Operations of a namespace with the same name run one at a time. */
  readonly name: string;
  /** The labels by which the controllers watch these Leases. Without them, they would watch the Leases of all nodes. */
  readonly labels: Readonly<Record<string, string>>;
  /** The cached Leases with these labels. */
  readonly leases: Lister<Metadata<Lease>>;
}

/** Who holds a lock. `isCached` is false if the cache does not contain the Lease, because it is new or lacks the labels. */
export interface LockHolder {
  readonly isSelf: boolean;
  readonly isCached: boolean;
  readonly name: string;
}

/**
 * Creates the Lease if there is none, and returns its holder.
 *
 * The API server creates a name only once, so a stale cache cannot give the Lease to two operations. The Lease has an owner: if
 * its operation is deleted, the garbage collector removes it.
 */
export async function takeLock(
  operation: KubernetesObject,
  client: Client,
  { name, labels, leases }: OperationLock,
): Promise<LockHolder> {
  const { apiVersion, kind, metadata } = operation;
  const { namespace, name: ownName, uid = '' } = metadata;
  const lease = leases.get(new ObjectKey(name, namespace));
  if (lease !== undefined) {
    const [holder] = lease.metadata.ownerReferences ?? [];
    const holderName = holder === undefined ? unknownHolder(name) : `${holder.kind} ${holder.name}`;
    return { isSelf: isHeldBy(lease, operation), isCached: true, name: holderName };
  }
  const ownerReferences = [{ apiVersion, kind, name: ownName, uid }];
  const spec = { holderIdentity: `${kind}/${ownName}` };
  try {
    await client.create(Lease, { metadata: { name, namespace, labels: { ...labels }, ownerReferences }, spec });
    return { isSelf: true, isCached: false, name: spec.holderIdentity };
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
    return { isSelf: false, isCached: false, name: unknownHolder(name) };
  }
}

function unknownHolder(lease: string): string {
  return `the holder of Lease ${lease}`;
}

/** Deletes the Lease if the operation holds it. Sends nothing if the cache has no such Lease. */
export async function releaseLock(
  operation: KubernetesObject,
  client: Client,
  { name, leases }: OperationLock,
): Promise<void> {
  const lease = leases.get(new ObjectKey(name, operation.metadata.namespace));
  if (lease === undefined || !isHeldBy(lease, operation)) return;
  await deleteExactly(client, Lease, lease);
}

/** Deletes this object, not another one that has got its name since. */
export async function deleteExactly(
  client: Client,
  kind: Parameters<Client['delete']>[0],
  object: Pick<KubernetesObject, 'metadata'>,
): Promise<void> {
  const { uid = '', name, namespace } = object.metadata;
  const preconditions = { uid };
  const key = new ObjectKey(name, namespace);
  await ignoreNotFound(client.delete(kind, key, { preconditions, propagationPolicy: 'Background' }));
}

function isHeldBy(lease: Metadata<Lease>, { metadata }: KubernetesObject): boolean {
  return lease.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) === true;
}
