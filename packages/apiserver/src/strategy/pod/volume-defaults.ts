import type { PersistentVolumeClaimSpec, PersistentVolumeSpec, Volume } from '@evenkeel/kinds';
import { defaultRequirements } from '../resource-list-defaults.ts';
import { writeNulls } from '../written-nulls.ts';
import { defaultPullPolicy } from './image-name.ts';

/** 0644, the default mode of files in volumes. */
const defaultMode = 420;

/** Sets the defaults of one volume of a pod. Source: `SetDefaults_Volume` and the `+default` markers of `core/v1`. */
export function defaultVolume(volume: Volume): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume.emptyDir = {};
  if (volume.image !== undefined) volume.image.pullPolicy ||= defaultPullPolicy(volume.image.reference);
  defaultVolumeSource(volume);
  for (const source of [volume.secret, volume.configMap, volume.downwardAPI, volume.projected]) {
    if (source !== undefined) source.defaultMode ??= defaultMode;
  }
  writeNulls(volume.projected, 'sources');
  defaultFieldReferences(volume.downwardAPI?.items);
  for (const source of volume.projected?.sources ?? []) {
    defaultFieldReferences(source.downwardAPI?.items);
    if (source.serviceAccountToken !== undefined) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
  const claim = volume.ephemeral?.volumeClaimTemplate;
  if (claim !== undefined) {
    claim.spec ??= {};
    defaultClaimSpec(claim.spec);
  }
}

/** Sets the defaults that the sources of a pod's volumes and of a persistent volume share. */
export function defaultVolumeSource(
  source: Pick<PersistentVolumeSpec, 'hostPath' | 'iscsi' | 'rbd' | 'azureDisk' | 'scaleIO'> | Volume,
): void {
  if (source.hostPath !== undefined) source.hostPath.type ??= '';
  if (source.iscsi !== undefined) source.iscsi.iscsiInterface ||= 'default';
  if (source.rbd !== undefined) {
    source.rbd.pool ||= 'rbd';
    source.rbd.user ||= 'admin';
    source.rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (source.azureDisk !== undefined) {
    source.azureDisk.cachingMode ??= 'ReadWrite';
    source.azureDisk.fsType ??= 'ext4';
    source.azureDisk.readOnly ??= false;
    source.azureDisk.kind ??= 'Shared';
  }
  if (source.scaleIO !== undefined) {
    source.scaleIO.storageMode ||= 'ThinProvisioned';
    source.scaleIO.fsType ||= 'xfs';
  }
}

export function defaultClaimSpec(spec: PersistentVolumeClaimSpec): void {
  spec.volumeMode ??= 'Filesystem';
  spec.resources ??= {};
  defaultRequirements(spec.resources);
}

function defaultFieldReferences(items: readonly { fieldRef?: { apiVersion?: string } }[] | undefined): void {
  for (const { fieldRef } of items ?? []) if (fieldRef !== undefined) fieldRef.apiVersion ||= 'v1';
}
