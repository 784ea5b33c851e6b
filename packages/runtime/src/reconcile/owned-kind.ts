import { ObjectKey, type PlannedOwned } from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Informer } from '../cache/informer.ts';
import type { OwnedKind } from './apply-child.ts';
import { RunLister } from './run-lister.ts';
import type { WriteRecorder } from './write-recorder.ts';
import { selects } from './written-caches.ts';

/** Names of users' indexes contain no control characters. */
const ownerIndex = '\u0000owner';

/** An owned kind. Its objects come from an informer and from the run's writes that the informer has not received yet. */
export function ownedKindOf(
  { kind, resource }: PlannedOwned,
  informer: Informer,
  writeRecorder: WriteRecorder,
): OwnedKind {
  type Child = InstanceType<typeof kind>;
  const children = new RunLister(informer, writeRecorder);
  const get = (key: ObjectKey): Child | undefined => children.get(key) as Child | undefined;
  let keysByOwner: ((uid: string) => readonly CachedObject[]) | undefined;
  return {
    kind,
    resource,
    get,
    ownedBy: ({ metadata: { uid = '', namespace } }) => {
      // Created on first use: an index of every child needs memory.
      keysByOwner ??= informer.addIndex(ownerIndex, ({ metadata }) =>
        (metadata.ownerReferences ?? []).map((owner) => owner.uid),
      );
      return keysByOwner(uid).flatMap((child) => {
        // An object in another namespace may have any owner reference; the garbage collector ignores it.
        if (namespace !== undefined && child.metadata.namespace !== namespace) return [];
        return get(ObjectKey.of(child)) ?? [];
      });
    },
    isSynced: () => informer.health.synced,
    selects: (object) => selects(informer, object) === true,
  };
}
