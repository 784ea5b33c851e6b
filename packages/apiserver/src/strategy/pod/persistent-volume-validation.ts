import type { PersistentVolume, PersistentVolumeSpec } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  notSupported,
  quantityNanos,
  rangeMessage,
  required,
  tooLong,
} from '../../apimachinery/index.ts';
import { validateNodeSelector } from '../node-selector-validation.ts';
import { validateImmutable } from '../number-validation.ts';
import { accessModes, validateBasicAmount } from './claim-validation.ts';
import { validateHostPath, validateNoBacksteps } from './volume-validation.ts';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];
const partitionRange = 'must be between 0 and 255, inclusive';

/** The members of a spec that are sources of a volume, in the order in which upstream validates them. */
const sources = [
  ...(['hostPath', 'gcePersistentDisk', 'awsElasticBlockStore', 'glusterfs', 'flocker', 'nfs', 'rbd'] as const),
  ...(['quobyte', 'cephfs', 'iscsi', 'cinder', 'fc', 'flexVolume', 'azureFile', 'vsphereVolume'] as const),
  ...(['photonPersistentDisk', 'portworxVolume', 'azureDisk', 'scaleIO', 'local', 'storageos', 'csi'] as const),
];

/** Source: `ValidatePersistentVolumeSpec`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateVolume({ metadata, spec = {} }: PersistentVolume): FieldError[] {
  return [
    ...validateModes(spec, 'spec'),
    ...validateCapacity(spec, 'spec'),
    ...(spec.persistentVolumeReclaimPolicy && !reclaimPolicies.includes(spec.persistentVolumeReclaimPolicy)
      ? [notSupported('spec.persistentVolumeReclaimPolicy', spec.persistentVolumeReclaimPolicy, reclaimPolicies)]
      : []),
    ...validateNodeAffinity(spec, 'spec'),
    ...validateSources(spec, metadata.name ?? '', 'spec'),
    ...(spec.storageClassName ? invalidBy(dns1123SubdomainErrors, 'spec.storageClassName', spec.storageClassName) : []),
    ...(spec.volumeMode !== undefined && !volumeModes.includes(spec.volumeMode)
      ? [notSupported('spec.volumeMode', spec.volumeMode, volumeModes)]
      : []),
    ...validateAttributesClass(spec, 'spec'),
  ];
}

/** Validates the volume of a VolumeAttachment, which is specified there. */
export function validateInlineVolume(spec: PersistentVolumeSpec, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const inline = 'in the context of inline volumes';
  const refuse = (field: keyof PersistentVolumeSpec): FieldError =>
    forbidden(`${path}.${field}`, `may not be specified ${inline}`);
  if (spec.claimRef !== undefined) errors.push(refuse('claimRef'));
  if (Object.keys(spec.capacity ?? {}).length > 0) errors.push(refuse('capacity'));
  if (spec.csi === undefined) errors.push(required(`${path}.csi`, `has to be specified ${inline}`));
  errors.push(...validateModes(spec, path));
  if (spec.persistentVolumeReclaimPolicy && spec.persistentVolumeReclaimPolicy !== 'Retain') {
    errors.push(forbidden(`${path}.persistentVolumeReclaimPolicy`, `may only be Retain ${inline}`));
  }
  if (spec.nodeAffinity !== undefined) errors.push(refuse('nodeAffinity'));
  errors.push(...validateSources(spec, '', path));
  if (spec.storageClassName) errors.push(refuse('storageClassName'));
  if (spec.volumeMode !== undefined && spec.volumeMode !== 'Filesystem') {
    errors.push(forbidden(`${path}.volumeMode`, `may not specify volumeMode other than Filesystem ${inline}`));
  }
  return [...errors, ...validateAttributesClass(spec, path)];
}

/** Source: `ValidatePersistentVolumeUpdate`, without the diff of Go structs at the end of its message. */
export function validateVolumeUpdate(object: PersistentVolume, old: PersistentVolume): readonly FieldError[] {
  const errors = validateVolume(object);
  const { spec = {} } = object;
  const { spec: before = {} } = old;
  if (!jsonEqual(sourcesOf(spec, before), sourcesOf(before, before))) {
    errors.push(forbidden('spec.persistentvolumesource', 'spec.persistentvolumesource is immutable after creation\n'));
  }
  errors.push(...validateImmutable(spec.volumeMode, before.volumeMode, 'volumeMode'));
  if (before.nodeAffinity !== undefined) {
    const detail = 'field is immutable, except for updating from beta label to GA';
    if (!jsonEqual(withOldKeys(spec.nodeAffinity, before.nodeAffinity), before.nodeAffinity)) {
      errors.push(invalid('nodeAffinity', spec.nodeAffinity ?? null, detail));
    }
  }
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined) {
    errors.push(forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'));
  }
  return errors;
}

const currentLabels = new Map([
  ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone'],
  ['failure-domain.beta.kubernetes.io/region', 'topology.kubernetes.io/region'],
  ['beta.kubernetes.io/os', 'kubernetes.io/os'],
  ['beta.kubernetes.io/arch', 'kubernetes.io/arch'],
  ['beta.kubernetes.io/instance-type', 'node.kubernetes.io/instance-type'],
]);

/**
 * An affinity with the keys of the old one where they were replaced by the current names of the same labels. Upstream
 * accepts an empty key in place of every other label, too.
 */
function withOldKeys(
  affinity: PersistentVolumeSpec['nodeAffinity'],
  old: PersistentVolumeSpec['nodeAffinity'],
): PersistentVolumeSpec['nodeAffinity'] {
  const before = old?.required?.nodeSelectorTerms ?? [];
  if (affinity?.required === undefined) return affinity;
  const terms = (affinity.required.nodeSelectorTerms ?? []).map((term, index) => {
    const renamed = { ...term };
    for (const list of ['matchExpressions', 'matchFields'] as const) {
      const requirements = term[list];
      if (requirements === undefined) continue;
      renamed[list] = requirements.map((one, place) => {
        const key = before[index]?.[list]?.[place]?.key;
        return key !== undefined && (one.key ?? '') === (currentLabels.get(key) ?? '') ? { ...one, key } : one;
      });
    }
    return renamed;
  });
  return { required: { nodeSelectorTerms: terms } };
}

/** The sources of a spec. A secret for expansion may be added. */
function sourcesOf(spec: PersistentVolumeSpec, old: PersistentVolumeSpec): object {
  const present = Object.fromEntries(sources.flatMap((name) => (spec[name] === undefined ? [] : [[name, spec[name]]])));
  if (spec.csi === undefined || old.csi === undefined || old.csi.controllerExpandSecretRef !== undefined) {
    return present;
  }
  const { controllerExpandSecretRef: _, ...csi } = spec.csi;
  return { ...present, csi };
}

function validateModes({ accessModes: modes = [] }: PersistentVolumeSpec, path: string): FieldError[] {
  const at = `${path}.accessModes`;
  const errors: FieldError[] = modes.length === 0 ? [required(at)] : [];
  for (const mode of modes) if (!accessModes.includes(mode)) errors.push(notSupported(at, mode, accessModes));
  const known = modes.filter((mode) => accessModes.includes(mode));
  if (known.includes('ReadWriteOncePod') && known.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbidden(at, 'may not use ReadWriteOncePod with other access modes'));
  }
  return errors;
}

function validateCapacity({ capacity = {} }: PersistentVolumeSpec, path: string): FieldError[] {
  const at = `${path}.capacity`;
  const names = Object.keys(capacity);
  const errors: FieldError[] = names.length === 0 ? [required(at)] : [];
  if (names.length !== 1 || names[0] !== 'storage')
    errors.push(notSupported(at, names.length === 0 ? null : capacity, ['storage']));
  for (const [name, amount] of Object.entries(capacity)) {
    errors.push(...validateBasicAmount(amount, `${at}[${name}]`));
    if (quantityNanos(amount) <= 0n)
      errors.push(invalid(`${at}[${name}]`, canonicalQuantity(amount), 'must be greater than zero'));
  }
  return errors;
}

function validateNodeAffinity({ nodeAffinity }: PersistentVolumeSpec, path: string): FieldError[] {
  if (nodeAffinity === undefined) return [];
  const at = `${path}.nodeAffinity.required`;
  if (nodeAffinity.required === undefined) return [required(at, 'must specify required node constraints')];
  return validateNodeSelector(nodeAffinity.required, at);
}

function validateAttributesClass(
  { volumeAttributesClassName: name, csi }: PersistentVolumeSpec,
  path: string,
): FieldError[] {
  if (name === undefined) return [];
  const at = `${path}.volumeAttributesClassName`;
  const errors =
    name === '' ? [required(at, 'an empty string is disallowed')] : invalidBy(dns1123SubdomainErrors, at, name);
  if (csi === undefined) {
    errors.push(required(`${path}.csi`, 'has to be specified when using volumeAttributesClassName'));
  }
  return errors;
}

function validateSources(spec: PersistentVolumeSpec, name: string, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const source of sources) {
    if (spec[source] === undefined) continue;
    // Upstream does not count what precedes a flexVolume.
    if (found && source !== 'flexVolume') {
      errors.push(forbidden(`${path}.${source}`, 'may not specify more than 1 volume type'));
    } else errors.push(...validateSource(spec, source, name, path));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  const { hostPath, persistentVolumeReclaimPolicy: policy } = spec;
  if (hostPath !== undefined && /^\/(?:\.?\/)*\.?$/.test(hostPath.path ?? '') && policy === 'Recycle') {
    const detail = "may not be 'recycle' for a hostPath mount of '/'";
    errors.push(forbidden(`${path}.persistentVolumeReclaimPolicy`, detail));
  }
  return errors;
}

function validateSource(
  spec: PersistentVolumeSpec,
  source: (typeof sources)[number],
  name: string,
  path: string,
): FieldError[] {
  const at = `${path}.${source}`;
  /** The required members of a source that are missing. */
  const missing = <T extends object>(members: T | undefined, ...fields: readonly (keyof T & string)[]): FieldError[] =>
    fields.flatMap((field) => (hasContent(members?.[field]) ? [] : [required(`${at}.${field}`)]));
  const partition = (number: number | undefined, where: string): FieldError[] =>
    number !== undefined && (number < 0 || number > 255) ? [invalid(where, number, partitionRange)] : [];
  switch (source) {
    case 'hostPath':
      return validateHostPath(spec.hostPath, at);
    case 'gcePersistentDisk': {
      // Upstream gives another name to the member.
      const disk = `${path}.persistentDisk`;
      const { pdName, partition: number } = spec.gcePersistentDisk ?? {};
      return [...(pdName ? [] : [required(`${disk}.pdName`)]), ...partition(number, `${disk}.partition`)];
    }
    case 'awsElasticBlockStore':
      return [
        ...missing(spec.awsElasticBlockStore, 'volumeID'),
        ...partition(spec.awsElasticBlockStore?.partition, `${at}.partition`),
      ];
    case 'glusterfs':
      return [...missing(spec.glusterfs, 'endpoints', 'path'), ...validateEndpointsNamespace(spec.glusterfs, at)];
    case 'flocker':
      return validateFlocker(spec.flocker, at);
    case 'nfs': {
      const target = spec.nfs?.path ?? '';
      const errors = missing(spec.nfs, 'server', 'path');
      return target.startsWith('/') ? errors : [...errors, invalid(`${at}.path`, target, 'must be an absolute path')];
    }
    case 'rbd':
      return missing(spec.rbd, 'monitors', 'image');
    case 'quobyte':
      return validateQuobyte(spec.quobyte, at);
    case 'cephfs':
      return missing(spec.cephfs, 'monitors');
    case 'iscsi':
      return [...missing(spec.iscsi, 'targetPortal'), ...validateIscsi(spec.iscsi, name, at)];
    case 'cinder':
      return [...missing(spec.cinder, 'volumeID'), ...secretErrors(spec.cinder?.secretRef, at)];
    case 'fc':
      return validateFibreChannel(spec.fc, at);
    case 'flexVolume':
      return [...missing(spec.flexVolume, 'driver'), ...validateFlexOptions(spec.flexVolume?.options, `${at}.options`)];
    case 'azureFile':
      return [
        ...missing(spec.azureFile, 'secretName', 'shareName'),
        ...(spec.azureFile?.secretNamespace === '' ? [required(`${at}.secretNamespace`)] : []),
      ];
    case 'vsphereVolume':
      return missing(spec.vsphereVolume, 'volumePath');
    case 'photonPersistentDisk':
      return missing(spec.photonPersistentDisk, 'pdID');
    case 'portworxVolume':
      return missing(spec.portworxVolume, 'volumeID');
    case 'azureDisk':
      return [...missing(spec.azureDisk, 'diskName', 'diskURI'), ...validateAzureDisk(spec.azureDisk, at)];
    case 'scaleIO':
      return missing(spec.scaleIO, 'gateway', 'system', 'volumeName');
    case 'local': {
      const errors = missing(spec.local, 'path');
      if (errors.length === 0) errors.push(...validateNoBacksteps(spec.local?.path ?? '', `${at}.path`));
      if (spec.nodeAffinity === undefined) {
        errors.push(required(`${path}.nodeAffinity`, 'Local volume requires node affinity'));
      }
      return errors;
    }
    case 'storageos':
      return validateStorageOs(spec.storageos, at);
    case 'csi':
      return validateCsi(spec.csi, at);
  }
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== '';
}

function secretErrors(secret: { name?: string; namespace?: string } | undefined, path: string): FieldError[] {
  if (secret === undefined) return [];
  return (['name', 'namespace'] as const).flatMap((field) =>
    secret[field] ? [] : [required(`${path}.secretRef.${field}`)],
  );
}

function validateEndpointsNamespace(source: PersistentVolumeSpec['glusterfs'], path: string): FieldError[] {
  const namespace = source?.endpointsNamespace;
  const at = `${path}.endpointsNamespace`;
  if (namespace === undefined) return [];
  if (namespace !== '') return invalidBy(dns1123LabelErrors, at, namespace);
  return [invalid(at, namespace, 'if the endpointnamespace is set, it must be a valid namespace name')];
}

/** Source: `validateFlockerVolumeSource`. */
function validateFlocker(source: PersistentVolumeSpec['flocker'], path: string): FieldError[] {
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
function validateQuobyte(source: PersistentVolumeSpec['quobyte'], path: string): FieldError[] {
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

/** Source: `validateISCSIPersistentVolumeSource`. */
function validateIscsi(source: PersistentVolumeSpec['iscsi'], name: string, path: string): FieldError[] {
  const { targetPortal = '', iqn = '', lun = 0, initiatorName, secretRef } = source ?? {};
  const errors: FieldError[] = [];
  if (initiatorName !== undefined && `${name}:${targetPortal}`.length > 64) {
    const detail =
      'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
    errors.push(invalid(`${path}.targetportal`, targetPortal, detail));
  }
  if (iqn === '') errors.push(required(`${path}.iqn`));
  else if (!isIscsiName(iqn)) errors.push(invalid(`${path}.iqn`, iqn, 'must be valid format'));
  if (lun < 0 || lun > 255) errors.push(invalid(`${path}.lun`, lun, rangeMessage(0, 255)));
  if ((source?.chapAuthDiscovery || source?.chapAuthSession) && secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  if (secretRef !== undefined && !secretRef.name) errors.push(required(`${path}.secretRef.name`));
  if (initiatorName !== undefined && !isIscsiName(initiatorName)) {
    errors.push(invalid(`${path}.initiatorname`, initiatorName, 'must be valid format'));
  }
  return errors;
}

/** Source: `validateFCVolumeSource`. */
function validateFibreChannel(source: PersistentVolumeSpec['fc'], path: string): FieldError[] {
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
function validateAzureDisk(source: PersistentVolumeSpec['azureDisk'], path: string): FieldError[] {
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

/** Source: `validateStorageOSPersistentVolumeSource`. */
function validateStorageOs(source: PersistentVolumeSpec['storageos'], path: string): FieldError[] {
  const { volumeName = '', volumeNamespace = '', secretRef } = source ?? {};
  return [
    ...(volumeName === ''
      ? [required(`${path}.volumeName`)]
      : invalidBy(dns1123LabelErrors, `${path}.volumeName`, volumeName)),
    ...(volumeNamespace === '' ? [] : invalidBy(dns1123LabelErrors, `${path}.volumeNamespace`, volumeNamespace)),
    ...secretErrors(secretRef, path),
  ];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

/** Source: `validateCSIPersistentVolumeSource`. */
function validateCsi(source: PersistentVolumeSpec['csi'], path: string): FieldError[] {
  const errors = validateCsiDriverName(source?.driver ?? '', `${path}.driver`);
  if (!source?.volumeHandle) errors.push(required(`${path}.volumeHandle`));
  for (const field of csiSecrets) {
    const secret = source?.[field];
    if (secret === undefined) continue;
    const at = `${path}.${field}`;
    errors.push(
      ...(secret.name ? invalidBy(dns1123SubdomainErrors, `${at}.name`, secret.name) : [required(`${at}.name`)]),
      ...(secret.namespace
        ? invalidBy(dns1123LabelErrors, `${at}.namespace`, secret.namespace)
        : [required(`${at}.namespace`)]),
    );
  }
  return errors;
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
