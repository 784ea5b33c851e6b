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
  required,
} from '../../apimachinery/index.ts';
import { validateNodeSelector } from '../node-selector-validation.ts';
import { validateImmutable } from '../number-validation.ts';
import { accessModes, validateBasicAmount } from './claim-validation.ts';
import {
  isLongIscsiName,
  longIscsiName,
  type StorageSource,
  validateCsiDriverName,
  validateIscsiName,
  validateIscsiTarget,
  validateStorageSource,
} from './storage-source-validation.ts';
import { validateNoBacksteps } from './volume-files-validation.ts';
import { validateHostPath } from './volume-validation.ts';

const reclaimPolicies = ['Delete', 'Recycle', 'Retain'];
const volumeModes = ['Block', 'Filesystem'];

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
  switch (source) {
    case 'hostPath':
      return validateHostPath(spec.hostPath, at);
    case 'local': {
      const target = spec.local?.path ?? '';
      const errors = target === '' ? [required(`${at}.path`)] : validateNoBacksteps(target, `${at}.path`);
      if (spec.nodeAffinity === undefined) {
        errors.push(required(`${path}.nodeAffinity`, 'Local volume requires node affinity'));
      }
      return errors;
    }
    case 'iscsi':
      return validateIscsi(spec.iscsi, name, at);
    case 'csi':
      return validateCsi(spec.csi, at);
    default:
      return [...validateStorageSource(spec, source, path), ...validateExtras(spec, source, at)];
  }
}

/** Validates the members of a source that the volumes of Pods do not have. */
function validateExtras(spec: PersistentVolumeSpec, source: StorageSource, path: string): FieldError[] {
  switch (source) {
    case 'glusterfs':
      return validateEndpointsNamespace(spec.glusterfs, path);
    case 'azureFile':
      return spec.azureFile?.secretNamespace === '' ? [required(`${path}.secretNamespace`)] : [];
    case 'cinder':
      return secretErrors(spec.cinder?.secretRef, path);
    case 'storageos':
      return secretErrors(spec.storageos?.secretRef, path);
    default:
      return [];
  }
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

/** Source: `validateISCSIPersistentVolumeSource`. */
function validateIscsi(source: PersistentVolumeSpec['iscsi'], name: string, path: string): FieldError[] {
  const { targetPortal = '', initiatorName, secretRef } = source ?? {};
  const errors = targetPortal === '' ? [required(`${path}.targetPortal`)] : [];
  if (initiatorName !== undefined && isLongIscsiName(name, targetPortal)) {
    errors.push(invalid(`${path}.targetportal`, targetPortal, longIscsiName));
  }
  errors.push(...validateIscsiTarget(source, path, 'must be valid format'));
  if (secretRef !== undefined && !secretRef.name) errors.push(required(`${path}.secretRef.name`));
  return [...errors, ...validateIscsiName(initiatorName, `${path}.initiatorname`, 'must be valid format')];
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
