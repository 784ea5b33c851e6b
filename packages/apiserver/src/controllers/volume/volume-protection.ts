import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@evenkeel/kinds';
import type { EmbeddedController } from '../controller.ts';
import { keyOf, splitKey } from '../controller-reference.ts';
import { KeyedSync } from '../keyed-sync.ts';
import type { ServerClient, ServerResource } from '../server-client.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };
const pods = { group: '', plural: 'pods' };

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';

/**
 * Keeps a deleted PersistentVolumeClaim until no scheduled pod uses it.
 * Source: `pkg/controller/volume/pvcprotection/pvc_protection_controller.go`.
 */
export const claimProtection: EmbeddedController = {
  name: 'persistentvolumeclaim-protection-controller',
  start(context) {
    const { client } = context;
    const sync = new KeyedSync(context, (key) =>
      protect<PersistentVolumeClaim>(client, claims, claimFinalizer, key, (claim) =>
        client.list<Pod>(pods, claim.metadata.namespace).some((pod) => usesClaim(pod, claim.metadata.name)),
      ),
    );
    const stops = [
      client.watch<PersistentVolumeClaim>(claims, ({ object }) => sync.add(keyOf(object))),
      client.watch<Pod>(pods, ({ type, object }) => {
        if (type === 'ADDED') return;
        for (const name of claimsOf(object)) sync.add(`${object.metadata.namespace ?? ''}/${name}`);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
      sync.stop();
    };
  },
};

/** Keeps a deleted PersistentVolume until it is unbound. Source: `pkg/controller/volume/pvprotection/pv_protection_controller.go`. */
export const volumeProtection: EmbeddedController = {
  name: 'persistentvolume-protection-controller',
  start(context) {
    const { client } = context;
    const sync = new KeyedSync(context, (key) =>
      protect<PersistentVolume>(client, volumes, volumeFinalizer, key, ({ status }) => status?.phase === 'Bound'),
    );
    const stop = client.watch<PersistentVolume>(volumes, ({ object }) => sync.add(keyOf(object)));
    return () => {
      stop();
      sync.stop();
    };
  },
};

/** Adds the finalizer to an object, or removes it if the object is deleted and unused. */
async function protect<T extends PersistentVolume | PersistentVolumeClaim>(
  client: ServerClient,
  resource: ServerResource,
  finalizer: string,
  key: string,
  isUsed: (object: T) => boolean,
): Promise<void> {
  const { namespace, name } = splitKey(key);
  const object = client.get<T>(resource, namespace, name);
  if (object === undefined) return;
  const { uid, resourceVersion, deletionTimestamp, finalizers = [] } = object.metadata;
  const isProtected = finalizers.includes(finalizer);
  if (deletionTimestamp === undefined ? isProtected : !isProtected || isUsed(object)) return;
  await client.patch(resource, namespace, name, {
    metadata: {
      uid,
      resourceVersion,
      finalizers: isProtected ? finalizers.filter((one) => one !== finalizer) : [...finalizers, finalizer],
    },
  });
}

/** Whether a pod uses a claim. A pod without a node has not mounted anything yet. */
function usesClaim(pod: Pod, name: string): boolean {
  return (pod.spec?.nodeName ?? '') !== '' && claimsOf(pod).includes(name);
}

/** The claims that a pod names, and those that are created for its `ephemeral` volumes. */
function claimsOf({ metadata, spec }: Pod): string[] {
  return (spec?.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => [
    ...(persistentVolumeClaim === undefined ? [] : [persistentVolumeClaim.claimName]),
    ...(ephemeral === undefined ? [] : [`${metadata.name}-${name}`]),
  ]);
}
