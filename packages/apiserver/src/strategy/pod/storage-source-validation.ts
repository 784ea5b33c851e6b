import type { PersistentVolumeSpec } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  invalid,
  invalidBy,
  notSupported,
  rangeMessage,
  required,
  tooLong,
} from '../../apimachinery/index.ts';

/** Upstream's words, although 0 is valid. */
const partitionRange = 'must be between 1 and 255, inclusive';

/** The sources in a storage system that the volumes of Pods and persistent volumes share. */
export const storageSources = [
  ...(['gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd', 'quobyte'] as const),
  ...(['cephfs', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume', 'photonPersistentDisk'] as const),
  ...(['portworxVolume', 'azureDisk', 'scaleIO', 'storageos'] as const),
];
export type StorageSource = (typeof storageSources)[number];
export type StorageSources = Pick<PersistentVolumeSpec, StorageSource>;

/**
 * Validates the members that the volumes of Pods and persistent volumes share. Source: the functions
 * `validate...VolumeSource` of `pkg/apis/core/validation/validation.go`.
 */
export function validateStorageSource(volume: StorageSources, source: StorageSource, path: string): FieldError[] {
  const at = `${path}.${source}`;
  /** The required members of a source that are missing. */
  const missing = <T extends object>(members: T | undefined, ...fields: readonly (keyof T & string)[]): FieldError[] =>
    fields.flatMap((field) => (hasContent(members?.[field]) ? [] : [required(`${at}.${field}`)]));
  switch (source) {
    case 'gcePersistentDisk': {
      // Upstream gives another name to the member.
      const disk = `${path}.persistentDisk`;
      const { pdName, partition } = volume.gcePersistentDisk ?? {};
      return [...(pdName ? [] : [required(`${disk}.pdName`)]), ...partitionErrors(partition, disk)];
    }
    case 'awsElasticBlockStore':
      return [
        ...missing(volume.awsElasticBlockStore, 'volumeID'),
        ...partitionErrors(volume.awsElasticBlockStore?.partition, at),
      ];
    case 'glusterfs':
      return missing(volume.glusterfs, 'endpoints', 'path');
    case 'flocker':
      return validateFlocker(volume.flocker, at);
    case 'nfs': {
      const target = volume.nfs?.path ?? '';
      const errors = missing(volume.nfs, 'server', 'path');
      return target.startsWith('/') ? errors : [...errors, invalid(`${at}.path`, target, 'must be an absolute path')];
    }
    case 'rbd':
      return missing(volume.rbd, 'monitors', 'image');
    case 'quobyte':
      return validateQuobyte(volume.quobyte, at);
    case 'cephfs':
      return missing(volume.cephfs, 'monitors');
    case 'cinder':
      return missing(volume.cinder, 'volumeID');
    case 'fc':
      return validateFibreChannel(volume.fc, at);
    case 'flexVolume':
      return [
        ...missing(volume.flexVolume, 'driver'),
        ...validateFlexOptions(volume.flexVolume?.options, `${at}.options`),
      ];
    case 'azureFile':
      return missing(volume.azureFile, 'secretName', 'shareName');
    case 'vsphereVolume':
      return missing(volume.vsphereVolume, 'volumePath');
    case 'photonPersistentDisk':
      return missing(volume.photonPersistentDisk, 'pdID');
    case 'portworxVolume':
      return missing(volume.portworxVolume, 'volumeID');
    case 'azureDisk':
      return [...missing(volume.azureDisk, 'diskName', 'diskURI'), ...validateAzureDisk(volume.azureDisk, at)];
    case 'scaleIO':
      return missing(volume.scaleIO, 'gateway', 'system', 'volumeName');
    case 'storageos':
      return validateStorageOs(volume.storageos, at);
  }
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '';
}

function partitionErrors(partition: number | undefined, path: string): FieldError[] {
  const isPartition = partition === undefined || (partition >= 0 && partition <= 255);
  return isPartition ? [] : [invalid(`${path}.partition`, partition, partitionRange)];
}

/** Source: `validateFlockerVolumeSource`. */
function validateFlocker(source: StorageSources['flocker'], path: string): FieldError[] {
  const { datasetName = '', datasetUUID = '' } = source ?? {};
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    // Upstream asks for one of the two here.
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (datasetName.includes('/')) errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

/** Source: `validateQuobyteVolumeSource`. */
function validateQuobyte(source: StorageSources['quobyte'], path: string): FieldError[] {
  const { registry = '', tenant = '', volume = '' } = source ?? {};
  const errors: FieldError[] = [];
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  if (registry === '') errors.push(required(`${path}.registry`, detail));
  else if (tenant.length >= 65)
    errors.push(required(`${path}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'));
  else {
    for (const pair of registry.split(',')) {
      if (!/^(?:\[[^\]]*\]|[^:[\]]*):[^:]*$/.test(pair)) {
        errors.push(invalid(`${path}.registry`, registry, detail));
      }
    }
  }
  if (volume === '') errors.push(required(`${path}.volume`));
  return errors;
}

const iscsiNames = [
  ['iqn', /iqn\.\d{4}-\d{2}\.([0-9A-Za-z\-.]+)(:[^,;*&$|\s]+)$/],
  ['eui', /^eui.[0-9A-Za-z]{16}$/],
  ['naa', /^naa.[0-9A-Za-z]{32}$/],
] as const;

function isIscsiName(text: string): boolean {
  return iscsiNames.some(([prefix, form]) => text.startsWith(prefix) && form.test(text));
}

/** Validates the name of a target or an initiator. `unknown` is the detail for a name of an unknown kind. */
export function validateIscsiName(name: string | undefined, path: string, unknown: string): FieldError[] {
  if (name === undefined || isIscsiName(name)) return [];
  const isKnown = iscsiNames.some(([prefix]) => name.startsWith(prefix));
  return [invalid(path, name, isKnown ? 'must be valid format' : unknown)];
}

type IscsiTarget = Pick<
  NonNullable<PersistentVolumeSpec['iscsi']>,
  'chapAuthDiscovery' | 'chapAuthSession' | 'iqn' | 'lun' | 'secretRef'
>;

/** Validates the members of an iSCSI source from its target to its secret. `unknownName`: see {@link validateIscsiName}. */
export function validateIscsiTarget(source: IscsiTarget | undefined, path: string, unknownName: string): FieldError[] {
  const { iqn = '', lun = 0, secretRef } = source ?? {};
  const errors: FieldError[] = [];
  if (iqn === '') errors.push(required(`${path}.iqn`));
  else errors.push(...validateIscsiName(iqn, `${path}.iqn`, unknownName));
  if (lun < 0 || lun > 255) errors.push(invalid(`${path}.lun`, lun, rangeMessage(0, 255)));
  if ((source?.chapAuthDiscovery || source?.chapAuthSession) && secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  return errors;
}

export const longIscsiName =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
export const isLongIscsiName = (name: string, targetPortal: string): boolean =>
  Buffer.byteLength(`${name}:${targetPortal}`) > 64;

/** Source: `validateFCVolumeSource`. */
function validateFibreChannel(source: StorageSources['fc'], path: string): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source ?? {};
  const errors: FieldError[] = [];
  const at = `${path}.targetWWNs`;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    errors.push(required(at, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    errors.push(invalid(at, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (targetWWNs.length === 0) return errors;
  if (lun === undefined) errors.push(required(`${path}.lun`, 'lun is required if targetWWNs is specified'));
  else if (lun < 0 || lun > 255) errors.push(invalid(`${path}.lun`, lun, rangeMessage(0, 255)));
  return errors;
}

/** Options must not be in the namespaces of Kubernetes. */
function validateFlexOptions(options: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  return Object.keys(options ?? {}).flatMap((key) => {
    const namespace = `.${(key.split('/')[0] ?? '').toLowerCase()}`;
    const isReserved = namespace.endsWith('.kubernetes.io') || namespace.endsWith('.k8s.io');
    return isReserved ? [invalid(`${path}[${key}]`, key, 'kubernetes.io and k8s.io namespaces are reserved')] : [];
  });
}

const cachingModes = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds = ['Dedicated', 'Managed', 'Shared'];
const managedUri = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobUri = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Source: `validateAzureDisk`. */
function validateAzureDisk(source: StorageSources['azureDisk'], path: string): FieldError[] {
  const { diskURI = '', cachingMode, kind } = source ?? {};
  const errors: FieldError[] = [];
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, cachingModes));
  }
  if (kind !== undefined && !diskKinds.includes(kind)) errors.push(notSupported(`${path}.kind`, kind, diskKinds));
  const at = `${path}.diskURI`;
  if (kind === 'Managed' && !diskURI.startsWith('/subscriptions/')) {
    errors.push(notSupported(at, diskURI, [managedUri]));
  }
  if (kind !== undefined && kind !== 'Managed' && !diskURI.startsWith('https://')) {
    errors.push(notSupported(at, diskURI, [blobUri]));
  }
  return errors;
}

/** Source: `validateStorageOSVolumeSource`, without the secret. */
function validateStorageOs(source: StorageSources['storageos'], path: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '' } = source ?? {};
  return [
    ...(volumeName === ''
      ? [required(`${path}.volumeName`)]
      : invalidBy(dns1123LabelErrors, `${path}.volumeName`, volumeName)),
    ...(volumeNamespace === '' ? [] : invalidBy(dns1123LabelErrors, `${path}.volumeNamespace`, volumeNamespace)),
  ];
}

const driverNameMax = 63;

/** Source: `ValidateCSIDriverName`. */
export function validateCsiDriverName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(name.length > driverNameMax ? [tooLong(path, driverNameMax)] : []),
    ...dns1123SubdomainErrors(name.toLowerCase()).map((detail) => invalid(path, name, detail)),
  ];
}
