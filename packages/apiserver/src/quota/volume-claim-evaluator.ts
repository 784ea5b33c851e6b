import type { PersistentVolumeClaim } from '@evenkeel/kinds';
import type { Quantity } from '../apimachinery/index.ts';
import { amountsOf, roundedUp, wholeStep } from '../strategy/resource-amounts.ts';
import { count } from './object-count-evaluator.ts';
import type { QuotaEvaluator } from './quota-evaluator.ts';
import { hasScopeValue } from './scope-values.ts';

const ofClass = '.storageclass.storage.k8s.io/';
const classResources = ['persistentvolumeclaims', 'requests.storage'];
const classAnnotation = 'volume.beta.kubernetes.io/storage-class';

/** Charges claims for themselves and their storage, also by storage class (`persistent_volume_claims.go`). */
export const volumeClaimEvaluator: QuotaEvaluator = {
  matches: (resource) =>
    resource === 'count/persistentvolumeclaims' ||
    classResources.includes(resource) ||
    classResources.some((name) => resource.endsWith(ofClass + name)),
  handles: ({ operation, subresource }) => operation !== 'DELETE' && (subresource === '' || subresource === 'status'),
  isInScope(requirement, object) {
    if (requirement.scopeName !== 'VolumeAttributesClass') return false;
    return hasScopeValue(requirement, attributesClasses(object as unknown as PersistentVolumeClaim));
  },
  usage(object) {
    const claim = object as unknown as PersistentVolumeClaim;
    const storageClass = claim.metadata.annotations?.[classAnnotation] ?? claim.spec?.storageClassName ?? '';
    const usage = new Map([
      ['count/persistentvolumeclaims', count(1)],
      ['persistentvolumeclaims', count(1)],
    ]);
    const storage = storageOf(claim);
    if (storage !== undefined) usage.set('requests.storage', storage);
    if (storageClass === '') return usage;
    usage.set(`${storageClass}${ofClass}persistentvolumeclaims`, count(1));
    if (storage !== undefined) usage.set(`${storageClass}${ofClass}requests.storage`, storage);
    return usage;
  },
  // Upstream compares addresses of amounts, which always differ.
  mayRelease: () => true,
};

/** The storage of a claim, or what is allocated to it if that is more, in whole bytes. */
function storageOf({ spec, status }: PersistentVolumeClaim): Quantity | undefined {
  const requested = amountsOf(spec?.resources?.requests).get('storage');
  if (requested === undefined) return undefined;
  const allocated = amountsOf(status?.allocatedResources).get('storage');
  const { nanos, format } = allocated !== undefined && allocated.nanos > requested.nanos ? allocated : requested;
  return { nanos: roundedUp(nanos, wholeStep) * wholeStep, format };
}

function attributesClasses({ spec, status }: PersistentVolumeClaim): string[] {
  const { currentVolumeAttributesClassName: current, modifyVolumeStatus } = status ?? {};
  const names = [spec?.volumeAttributesClassName, current, modifyVolumeStatus?.targetVolumeAttributesClassName];
  return [...new Set(names.flatMap((name) => (name ? [name] : [])))];
}
