import type { PersistentVolume, PersistentVolumeClaim } from '@evenkeel/kinds';
import { quantityNanos } from '../../apimachinery/index.ts';
import type { EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };

/**
 * Gives a volume the larger size that its claim requests, as the external-resizer of a storage driver does that needs no node. Admission
 * has checked that the StorageClass allows it.
 */
export const volumeExpander: EmbeddedController = {
  name: 'persistentvolume-expander',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'persistentvolume-expander');
    const sync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const claim = client.get<PersistentVolumeClaim>(claims, namespace, name);
      if (claim === undefined || !isTooSmall(claim)) return;
      const volume = client.get<PersistentVolume>(volumes, undefined, claim.spec?.volumeName ?? '');
      if (volume === undefined) return;
      const storage = claim.spec?.resources?.requests?.['storage'] ?? '0';
      const { uid } = volume.metadata;
      await client.patch(volumes, undefined, volume.metadata.name, {
        metadata: { uid },
        spec: { capacity: { storage } },
      });
      const capacity = { ...claim.status?.capacity, storage };
      await client.updateStatus(claims, { ...claim, status: { ...claim.status, capacity } });
      events.normal(claim, 'VolumeResizeSuccessful', 'Resize volume succeeded');
    });
    const stop = client.watch<PersistentVolumeClaim>(claims, ({ type, object }) => {
      if (type !== 'DELETED' && isTooSmall(object)) sync.add(keyOf(object));
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

function isTooSmall({ metadata, spec, status }: PersistentVolumeClaim): boolean {
  if (status?.phase !== 'Bound' || metadata.deletionTimestamp !== undefined) return false;
  return quantityNanos(spec?.resources?.requests?.['storage']) > quantityNanos(status.capacity?.['storage']);
}
