import { ObjectKey, type PlannedOwned } from '@evenkeel/core';
import type { CachedObject } from '../cache/cached-object.ts';
import type { Informer } from '../cache/informer.ts';
import type { OwnedKind } from './apply-child.ts';
import { RunLister } from './run-lister.ts';
import type { WriteRecorder } from './write-recorder.ts';

/** No name of a user's index has a control character. */
const ownerIndex = '\u0000owner';

/** An owned kind whose objects come from an informer and from the writes that the informer has not seen yet. */
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
      // Made for those who ask: an index of every child costs memory.
      keysByOwner ??= informer.addIndex(ownerIndex, ({ metadata }) =>
        (metadata.ownerReferences ?? []).map((owner) => owner.uid),
      );
      return keysByOwner(uid).flatMap((child) => {
        // Whoever writes an object in another namespace may name any owner; the garbage collector does not honour it.
        if (namespace !== undefined && child.metadata.namespace !== namespace) return [];
        return get(ObjectKey.of(child)) ?? [];
      });
    },
    isSynced: () => informer.health.synced,
  };
}
