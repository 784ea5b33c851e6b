import type { PersistentVolumeClaim, StorageClass } from '@evenkeel/kinds';
import { quantityNanos } from '../apimachinery/index.ts';
import type { ValidatingAdmissionStep } from '../registry/write-request.ts';
import { forbidden } from '../status/refusal.ts';
import type { ObjectStore } from '../store/object-store.ts';

const claims = '/persistentvolumeclaims';
const storageClasses = 'storage.k8s.io/storageclasses';
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/**
 * Rejects a larger claim unless its StorageClass allows the expansion of volumes. The strategy rejects changed sizes of unbound claims.
 *
 * Source: `plugin/pkg/admission/storage/persistentvolume/resize`.
 */
export function volumeResize(store: ObjectStore): ValidatingAdmissionStep {
  return ({ request, operation, object, current, name }) => {
    const { storageKey, names } = request.kind;
    if (storageKey !== claims || operation !== 'UPDATE' || request.subresource !== undefined) return;
    const [claim, before] = [object, current] as unknown as [PersistentVolumeClaim, PersistentVolumeClaim];
    if (sizeOf(claim) <= sizeOf(before)) return;
    const className = classOf(claim);
    const found = store.get(storageClasses, '', className)?.object as unknown as StorageClass | undefined;
    if (className === classOf(before) && found?.allowVolumeExpansion === true) return;
    const why =
      'only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize';
    throw forbidden(names, name, why);
  };
}

function sizeOf({ spec }: PersistentVolumeClaim): bigint {
  return quantityNanos(spec?.resources?.requests?.['storage']);
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[classAnnotation] ?? spec?.storageClassName ?? '';
}
