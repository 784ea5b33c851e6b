import { labelRequirementsOf, matchesLabels } from '@evenkeel/core';
import type { PersistentVolume, PersistentVolumeClaim } from '@evenkeel/kinds';
import { quantityNanos } from '../../apimachinery/index.ts';

/**
 * The volume for a claim: the one that the claim names, else one reserved for the claim, else the smallest free one that
 * fulfils the claim. Source: `findMatchingVolume`, `k8s.io/component-helpers/storage/volume`.
 */
export function volumeFor(
  claim: PersistentVolumeClaim,
  volumes: readonly PersistentVolume[],
): PersistentVolume | undefined {
  const wanted = claim.spec?.volumeName;
  if (wanted) return volumes.find((volume) => volume.metadata.name === wanted && isFreeFor(claim, volume));
  const kept = volumes.find((volume) => volume.spec?.claimRef !== undefined && isFreeFor(claim, volume));
  if (kept !== undefined) return kept;
  const [smallest] = volumes
    .filter((volume) => volume.spec?.claimRef === undefined && fits(claim, volume))
    .sort((left, right) => Number(sizeOf(left) - sizeOf(right)));
  return smallest;
}

/** Whether a volume is neither being deleted nor bound to or reserved for another claim. */
function isFreeFor({ metadata }: PersistentVolumeClaim, { metadata: own, spec }: PersistentVolume): boolean {
  if (own.deletionTimestamp !== undefined) return false;
  const { claimRef } = spec ?? {};
  if (claimRef === undefined) return true;
  const isNamed = claimRef.namespace === metadata.namespace && claimRef.name === metadata.name;
  return isNamed && (!claimRef.uid || claimRef.uid === metadata.uid);
}

function fits({ spec: claim = {} }: PersistentVolumeClaim, { metadata, spec = {} }: PersistentVolume): boolean {
  const requirements = labelRequirementsOf(claim.selector ?? {});
  return (
    metadata.deletionTimestamp === undefined &&
    (spec.storageClassName ?? '') === (claim.storageClassName ?? '') &&
    (spec.volumeMode ?? 'Filesystem') === (claim.volumeMode ?? 'Filesystem') &&
    (claim.accessModes ?? []).every((mode) => spec.accessModes?.includes(mode)) &&
    matchesLabels(requirements, metadata.labels) &&
    quantityNanos(spec.capacity?.['storage']) >= quantityNanos(claim.resources?.requests?.['storage'])
  );
}

function sizeOf({ spec }: PersistentVolume): bigint {
  return quantityNanos(spec?.capacity?.['storage']);
}
