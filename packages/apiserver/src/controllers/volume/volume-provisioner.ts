import type { PersistentVolume, PersistentVolumeClaim } from '@evenkeel/kinds';
import type { EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { EventWriter } from '../event-writer.ts';
import { KeyedSync } from '../keyed-sync.ts';
import { volumeFor } from './volume-match.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };

/**
 * Creates a volume for each claim without a matching one, as the provisioner of a cluster's default class does. It serves
 * every class except the empty one, which requests existing volumes. Nothing is stored in a volume, and it is deleted with
 * its claim.
 */
export const volumeProvisioner: EmbeddedController = {
  name: 'persistentvolume-provisioner',
  start(context) {
    const { client, clock } = context;
    const events = new EventWriter(client, clock, 'persistentvolume-provisioner');
    const sync = new KeyedSync(context, async (key) => {
      const { namespace, name } = splitKey(key);
      const claim = client.get<PersistentVolumeClaim>(claims, namespace, name);
      if (claim === undefined || !isWaiting(claim)) return;
      if (volumeFor(claim, client.list<PersistentVolume>(volumes)) !== undefined) return;
      const volume = volumeOf(claim);
      await client.create(volumes, volume);
      events.normal(claim, 'ProvisioningSucceeded', `Successfully provisioned volume ${volume.metadata.name}`);
    });
    const stop = client.watch<PersistentVolumeClaim>(claims, ({ type, object }) => {
      if (type !== 'DELETED' && isWaiting(object)) sync.add(keyOf(object));
    });
    return () => {
      stop();
      sync.stop();
    };
  },
};

function isWaiting({ metadata, spec, status }: PersistentVolumeClaim): boolean {
  const isUnbound = status?.phase === 'Pending' && !spec?.volumeName && spec?.storageClassName !== '';
  return isUnbound && metadata.deletionTimestamp === undefined;
}

function volumeOf({ metadata, spec = {} }: PersistentVolumeClaim): PersistentVolume {
  const { namespace, name, uid } = metadata;
  const { accessModes = [], resources, storageClassName, volumeMode } = spec;
  const volume = `pvc-${uid}`;
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: volume },
    spec: {
      accessModes,
      capacity: { storage: resources?.requests?.['storage'] ?? '0' },
      claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid },
      persistentVolumeReclaimPolicy: 'Delete',
      ...(storageClassName !== undefined && { storageClassName }),
      ...(volumeMode !== undefined && { volumeMode }),
      hostPath: { path: `/var/lib/volumes/${volume}` },
    },
  } as PersistentVolume;
}
