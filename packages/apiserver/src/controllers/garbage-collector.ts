import { groupResourceOf, type OwnerReference } from '@evenkeel/core';
import type { ApiObject } from '../kind/api-object.ts';
import type { ControllerContext, EmbeddedController } from './controller.ts';
import { KeyedSync } from './keyed-sync.ts';
import type { ServerResource, StoredEvent } from './server-client.ts';

/** An object of any resource, as a node in the owner graph. */
interface Item {
  readonly resource: ServerResource;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly uid: string;
}

/**
 * Deletes objects whose owners are all gone, and carries out the two finalizers of deletion: `foregroundDeletion`
 * (blocking dependents are deleted first) and `orphan` (the owner reference is removed from dependents). The rules are
 * those of kube-controller-manager's garbage collector. The graph is keyed by uid, so that an owner recreated under the
 * same name counts as a different owner.
 */
export const garbageCollector: EmbeddedController = {
  name: 'garbage-collector-controller',
  start(context) {
    const graph = new OwnerGraph();
    const sync = new KeyedSync(
      context,
      (uid) => attend(context, graph, uid),
      (uid) => graph.nameOf(uid),
    );
    const stop = context.client.watchAll((event) => {
      const uid = event.object.metadata.uid;
      if (uid === undefined) return;
      graph.record(event);
      if (event.type === 'DELETED' || needsAttention(event.object)) sync.add(uid);
      // The dependents of a deleted owner must be collected; a terminating owner may wait for its dependents.
      if (event.type === 'DELETED' || event.object.metadata.deletionTimestamp !== undefined) {
        for (const dependent of graph.dependentsOf(uid)) sync.add(dependent.uid);
      }
      if (event.type !== 'ADDED') {
        for (const { uid: owner } of [...ownersOf(event.old), ...ownersOf(event.object)]) sync.add(owner);
      }
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

class OwnerGraph {
  readonly #items = new Map<string, Item>();
  readonly #dependents = new Map<string, Set<string>>();

  record({ type, resource, object, old }: StoredEvent): void {
    const uid = object.metadata.uid ?? '';
    for (const owner of ownersOf(old)) this.#dependents.get(owner.uid)?.delete(uid);
    if (type === 'DELETED') {
      for (const owner of ownersOf(object)) this.#dependents.get(owner.uid)?.delete(uid);
      this.#items.delete(uid);
      return;
    }
    this.#items.set(uid, { resource, namespace: object.metadata.namespace, name: object.metadata.name, uid });
    for (const owner of ownersOf(object)) {
      const dependents = this.#dependents.get(owner.uid) ?? new Set();
      dependents.add(uid);
      this.#dependents.set(owner.uid, dependents);
    }
  }

  item(uid: string): Item | undefined {
    return this.#items.get(uid);
  }

  nameOf(uid: string): string {
    const item = this.#items.get(uid);
    if (item === undefined) return uid;
    const { resource, namespace, name } = item;
    return `${groupResourceOf(resource)} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
  }

  dependentsOf(uid: string): Item[] {
    const uids = this.#dependents.get(uid);
    if (uids === undefined) return [];
    if (uids.size === 0) this.#dependents.delete(uid);
    return [...uids].flatMap((dependent) => this.#items.get(dependent) ?? []);
  }
}

function ownersOf(object: ApiObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}

/** Whether the collector may have work with an object. This is false for most objects, so they are skipped early. */
function needsAttention(object: ApiObject): boolean {
  return object.metadata.deletionTimestamp !== undefined || ownersOf(object).length > 0;
}

async function attend(context: ControllerContext, graph: OwnerGraph, uid: string): Promise<void> {
  const { client } = context;
  const item = graph.item(uid);
  if (item === undefined) return;
  const object = client.get<ApiObject>(item.resource, item.namespace, item.name);
  if (object?.metadata.uid !== uid) return;
  if (object.metadata.deletionTimestamp !== undefined) return finish(context, graph, item, object);
  const owners = ownersOf(object);
  if (owners.length === 0) return;
  const states = owners.map((owner) => ({ owner, state: stateOf(context, owner, item.namespace) }));
  const solid = states.filter(({ state }) => state === 'there');
  const waiting = states.filter(({ state }) => state === 'waits for its dependents');
  if (states.some(({ state }) => state === 'unknown kind')) return;
  if (solid.length > 0) {
    if (solid.length === states.length) return;
    // At least one owner still exists: drop the references to the others, so that a waiting owner is not blocked.
    await client.patch(item.resource, item.namespace, item.name, {
      metadata: { uid, ownerReferences: solid.map(({ owner }) => owner) },
    });
  } else if (waiting.length > 0 && graph.dependentsOf(uid).length > 0) {
    await remove(context, item, 'Foreground');
  } else {
    await remove(context, item, waiting.length > 0 ? 'Background' : inheritedPolicy(object));
  }
}

/** The policy that the finalizers of a dependent request for its own dependents. It is kept when the dependent is deleted. */
function inheritedPolicy(object: ApiObject): 'Orphan' | 'Foreground' | 'Background' {
  if (object.metadata.finalizers?.includes('orphan')) return 'Orphan';
  if (object.metadata.finalizers?.includes('foregroundDeletion')) return 'Foreground';
  return 'Background';
}

type OwnerState = 'there' | 'gone' | 'waits for its dependents' | 'unknown kind';

function stateOf({ client }: ControllerContext, reference: OwnerReference, namespace: string | undefined): OwnerState {
  const resource = client.resourceOf(reference.apiVersion, reference.kind);
  if (resource === undefined) return 'unknown kind';
  const owner = client.get<ApiObject>(resource, resource.namespaced ? namespace : undefined, reference.name);
  if (owner?.metadata.uid !== reference.uid) return 'gone';
  const waits =
    owner.metadata.deletionTimestamp !== undefined &&
    owner.metadata.finalizers?.includes('foregroundDeletion') === true;
  return waits ? 'waits for its dependents' : 'there';
}

async function remove(
  { client }: ControllerContext,
  item: Item,
  propagationPolicy: 'Orphan' | 'Foreground' | 'Background',
): Promise<void> {
  await client.delete(item.resource, item.namespace, item.name, {
    propagationPolicy,
    preconditions: { uid: item.uid },
  });
}

/** Carries out the deletion finalizers of a deleted object. */
async function finish(context: ControllerContext, graph: OwnerGraph, item: Item, object: ApiObject): Promise<void> {
  const { client } = context;
  const finalizers = object.metadata.finalizers ?? [];
  const dependents = graph.dependentsOf(item.uid);
  if (finalizers.includes('orphan')) {
    for (const dependent of dependents) {
      const live = client.get<ApiObject>(dependent.resource, dependent.namespace, dependent.name);
      if (live?.metadata.uid !== dependent.uid) continue;
      await client.patch(dependent.resource, dependent.namespace, dependent.name, {
        metadata: { uid: dependent.uid, ownerReferences: ownersOf(live).filter(({ uid }) => uid !== item.uid) },
      });
    }
    await dropFinalizer(context, item, 'orphan');
  } else if (finalizers.includes('foregroundDeletion')) {
    const blocking = dependents.filter((dependent) => {
      const live = client.get<ApiObject>(dependent.resource, dependent.namespace, dependent.name);
      return ownersOf(live).some(({ uid, blockOwnerDeletion }) => uid === item.uid && blockOwnerDeletion === true);
    });
    if (blocking.length === 0) await dropFinalizer(context, item, 'foregroundDeletion');
  }
}

async function dropFinalizer({ client }: ControllerContext, item: Item, finalizer: string): Promise<void> {
  const live = client.get<ApiObject>(item.resource, item.namespace, item.name);
  if (live?.metadata.uid !== item.uid) return;
  await client.patch(item.resource, item.namespace, item.name, {
    metadata: {
      uid: item.uid,
      resourceVersion: live.metadata.resourceVersion,
      finalizers: (live.metadata.finalizers ?? []).filter((name) => name !== finalizer),
    },
  });
}
