import type { PersistentVolume, PersistentVolumeClaim } from '@evenkeel/kinds';
import type { EmbeddedController } from '../controller.ts';
import { KeyedSync } from '../keyed-sync.ts';
import type { ServerClient } from '../server-client.ts';
import { volumeFor } from './volume-match.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };

const boundByUs = 'pv.kubernetes.io/bound-by-controller';
const bindCompleted = 'pv.kubernetes.io/bind-completed';

/**
 * Binds claims to existing volumes, and sets the phase of volumes: available, bound, or released by a deleted claim.
 * Source: `pkg/controller/volume/persistentvolume/pv_controller.go`.
 */
export const volumeBinder: EmbeddedController = {
  name: 'persistentvolume-binder-controller',
  start(context) {
    const { client } = context;
    // One at a time: two claims must not take the same volume.
    const sync = new KeyedSync(
      context,
      async () => {
        for (const claim of client.list<PersistentVolumeClaim>(claims)) await bind(client, claim);
        for (const volume of client.list<PersistentVolume>(volumes)) await settle(client, volume);
      },
      () => 'persistentvolumeclaims and persistentvolumes',
    );
    const stops = [claims, volumes].map((resource) => client.watch(resource, () => sync.add('/')));
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

async function bind(client: ServerClient, claim: PersistentVolumeClaim): Promise<void> {
  if (claim.metadata.deletionTimestamp !== undefined || claim.status?.phase === 'Bound') return;
  const volume = volumeFor(claim, client.list<PersistentVolume>(volumes));
  if (volume === undefined) return;
  const { namespace, name, uid } = claim.metadata;
  const isKept = volume.spec?.claimRef !== undefined;
  const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
  if (volume.spec?.claimRef?.uid !== uid) {
    const { resourceVersion } = claim.metadata;
    await client.patch(volumes, undefined, volume.metadata.name, {
      metadata: { uid: volume.metadata.uid, ...(!isKept && { annotations: { [boundByUs]: 'yes' } }) },
      spec: { claimRef: { ...claimRef, resourceVersion } },
    });
  }
  await phaseOf(client, volume.metadata.name, 'Bound');
  const wanted = claim.spec?.volumeName === volume.metadata.name;
  const bound = await client.patch<PersistentVolumeClaim>(claims, namespace, name, {
    metadata: { uid, annotations: { [bindCompleted]: 'yes', ...(!wanted && { [boundByUs]: 'yes' }) } },
    spec: { volumeName: volume.metadata.name },
  });
  const { accessModes = [], capacity = {} } = volume.spec ?? {};
  await client.updateStatus(claims, { ...bound, status: { ...bound.status, phase: 'Bound', accessModes, capacity } });
}

/** Sets the phase of a volume to which no claim is being bound; deletes a released one if its reclaim policy is Delete. */
async function settle(client: ServerClient, volume: PersistentVolume): Promise<void> {
  const { claimRef, persistentVolumeReclaimPolicy } = volume.spec ?? {};
  if (claimRef === undefined || !claimRef.uid) {
    await phaseOf(client, volume.metadata.name, 'Available');
    return;
  }
  const claim = client.get<PersistentVolumeClaim>(claims, claimRef.namespace, claimRef.name ?? '');
  if (claim?.metadata.uid === claimRef.uid) return;
  await phaseOf(client, volume.metadata.name, 'Released');
  if (persistentVolumeReclaimPolicy === 'Delete' && volume.metadata.deletionTimestamp === undefined) {
    await client.delete(volumes, undefined, volume.metadata.name);
  }
}

async function phaseOf(client: ServerClient, name: string, phase: 'Available' | 'Bound' | 'Released'): Promise<void> {
  const volume = client.get<PersistentVolume>(volumes, undefined, name);
  if (volume === undefined || volume.status?.phase === phase) return;
  const { lastPhaseTransitionTime: _, ...status } = volume.status ?? {};
  await client.updateStatus(volumes, { ...volume, status: { ...status, phase } });
}
