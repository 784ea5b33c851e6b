import type { Volume } from '@evenkeel/kinds';
import {
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  duplicate,
  type FieldError,
  forbidden,
  goQuote,
  invalid,
  invalidBy,
  notSupported,
  quantityNanos,
  required,
  validateAnnotations,
  validateLabels,
} from '../../apimachinery/index.ts';
import { validateChoice } from '../number-validation.ts';
import { validateClaimSpec } from './claim-validation.ts';
import {
  isLongIscsiName,
  longIscsiName,
  validateCsiDriverName,
  validateIscsiName,
  validateIscsiTarget,
  validateStorageSource,
} from './storage-source-validation.ts';
import {
  validateDescendingPath,
  validateDownwardApi,
  validateFiles,
  validateNoBacksteps,
  validateProjected,
} from './volume-files-validation.ts';

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/** The volumes that a container may mount, and the errors of the others. */
export interface CheckedVolumes {
  readonly known: ReadonlyMap<string, Volume>;
  readonly errors: readonly FieldError[];
}

/**
 * Source: `ValidateVolumes`, `pkg/apis/core/validation/validation.go`. `podName` is undefined in a template.
 */
export function validateVolumes(
  volumes: readonly Volume[] | undefined,
  path: string,
  podName: string | undefined,
): CheckedVolumes {
  const claims = new Set(
    volumes?.filter(({ ephemeral }) => podName && ephemeral).map(({ name }) => `${podName}-${name}`),
  );
  const known = new Map<string, Volume>();
  const errors: FieldError[] = [];
  for (const [index, volume] of (volumes ?? []).entries()) {
    const at = `${path}[${index}]`;
    const isPod = podName !== undefined;
    const found = [...validateSource(volume, at, isPod), ...validateClaimName(volume, podName ?? '', `${at}.name`)];
    if (!volume.name) found.push(required(`${at}.name`));
    else found.push(...invalidBy(dns1123LabelErrors, `${at}.name`, volume.name));
    if (known.has(volume.name)) found.push(duplicate(`${at}.name`, volume.name));
    if (found.length === 0) known.set(volume.name, volume);
    errors.push(...found);
    const claim = volume.persistentVolumeClaim?.claimName ?? '';
    if (claims.has(claim)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${at}.persistentVolumeClaim.claimName`, claim, detail));
    }
  }
  return { known, errors };
}

/** Validates the name of the claim of an ephemeral volume, which starts with that of the Pod. */
function validateClaimName({ name, ephemeral }: Volume, podName: string, path: string): FieldError[] {
  if (ephemeral === undefined || podName === '' || !name) return [];
  const claim = `${podName}-${name}`;
  return dns1123SubdomainErrors(claim).map((why) => invalid(path, name, `PVC name ${goQuote(claim)}: ${why}`));
}

/** In the order in which upstream validates them. */
const sources = [
  ...(['emptyDir', 'hostPath', 'gitRepo', 'gcePersistentDisk', 'awsElasticBlockStore', 'secret', 'nfs'] as const),
  ...(['iscsi', 'glusterfs', 'flocker', 'persistentVolumeClaim', 'rbd', 'cinder', 'cephfs', 'quobyte'] as const),
  ...(['downwardAPI', 'fc', 'flexVolume', 'configMap', 'azureFile', 'vsphereVolume'] as const),
  ...(['photonPersistentDisk', 'portworxVolume', 'azureDisk', 'storageos', 'projected', 'scaleIO'] as const),
  ...(['csi', 'ephemeral', 'image'] as const),
];
type Source = (typeof sources)[number];
/** Upstream's paths of sources that are not the first. */
const misspelled: Partial<Record<Source, string>> = { cephfs: 'cephFS', downwardAPI: 'downwarAPI' };

function validateSource(volume: Volume, path: string, isPod: boolean): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const kind of sources) {
    if (volume[kind] === undefined) continue;
    if (found) errors.push(forbidden(`${path}.${misspelled[kind] ?? kind}`, 'may not specify more than 1 volume type'));
    else errors.push(...validateKind(volume, kind, path, isPod));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function validateKind(volume: Volume, kind: Source, path: string, isPod: boolean): FieldError[] {
  const at = `${path}.${kind}`;
  switch (kind) {
    case 'emptyDir': {
      const limit = volume.emptyDir?.sizeLimit;
      return limit !== undefined && quantityNanos(limit) < 0n
        ? [forbidden(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [];
    }
    case 'hostPath':
      return validateHostPath(volume.hostPath, at);
    case 'gitRepo':
      return [
        ...(volume.gitRepo?.repository ? [] : [required(`${at}.repository`)]),
        ...validateDescendingPath(volume.gitRepo?.directory ?? '', `${at}.directory`),
      ];
    case 'secret':
      return [
        ...(volume.secret?.secretName ? [] : [required(`${at}.secretName`)]),
        ...validateFiles(volume.secret, at),
      ];
    case 'iscsi':
      return validateIscsi(volume, path);
    case 'persistentVolumeClaim':
      return volume.persistentVolumeClaim?.claimName ? [] : [required(`${at}.claimName`)];
    case 'cinder':
    case 'storageos': {
      const secret = volume[kind]?.secretRef;
      const errors = validateStorageSource(volume, kind, path);
      return secret === undefined || secret.name ? errors : [...errors, required(`${at}.secretRef.name`)];
    }
    case 'downwardAPI':
      return validateDownwardApi(volume.downwardAPI, at);
    case 'configMap':
      return [...(volume.configMap?.name ? [] : [required(`${at}.name`)]), ...validateFiles(volume.configMap, at)];
    case 'projected':
      return validateProjected(volume.projected, at);
    case 'csi':
      return validateCsi(volume.csi, at);
    case 'ephemeral':
      return validateEphemeral(volume.ephemeral, at);
    case 'image': {
      const { reference, pullPolicy } = volume.image ?? {};
      return [
        ...(isPod && !reference ? [required(`${at}.reference`)] : []),
        ...validateChoice(pullPolicy, `${at}.pullPolicy`, ['Always', 'IfNotPresent', 'Never']),
      ];
    }
    default:
      return validateStorageSource(volume, kind, path);
  }
}

/** Source: `validateISCSIVolumeSource`. */
function validateIscsi({ name = '', iscsi }: Volume, path: string): FieldError[] {
  const { initiatorName, targetPortal = '' } = iscsi ?? {};
  const unknown = 'must be valid format starting with iqn, eui, or naa';
  const errors = [
    ...(targetPortal === '' ? [required(`${path}.iscsi.targetPortal`)] : []),
    ...validateIscsiTarget(iscsi, `${path}.iscsi`, unknown),
    ...validateIscsiName(initiatorName, `${path}.iscsi.initiatorname`, unknown),
  ];
  const isLong = initiatorName !== undefined && isLongIscsiName(name, targetPortal);
  return isLong ? [...errors, invalid(`${path}.name`, name, longIscsiName)] : errors;
}

/** Source: `validateCSIVolumeSource`. */
function validateCsi(source: Volume['csi'], path: string): FieldError[] {
  const errors = validateCsiDriverName(source?.driver ?? '', `${path}.driver`);
  const secret = source?.nodePublishSecretRef;
  if (secret === undefined) return errors;
  if (!secret.name) return [...errors, required(`${path}.nodePublishSecretRef.name`)];
  return [...errors, ...invalidBy(dns1123SubdomainErrors, `${path}.name`, secret.name)];
}

/** Source: `ValidatePersistentVolumeClaimTemplate`. */
function validateEphemeral(source: Volume['ephemeral'], path: string): FieldError[] {
  const at = `${path}.volumeClaimTemplate`;
  if (source?.volumeClaimTemplate === undefined) return [required(at)];
  const { metadata = {}, spec } = source.volumeClaimTemplate;
  const { annotations, labels, ...others } = metadata;
  return [
    ...validateAnnotations(annotations ?? {}, `${at}.metadata.annotations`),
    ...validateLabels(labels, `${at}.metadata.labels`),
    ...Object.keys(others).map((field) => forbidden(`${at}.metadata.${field}`, 'cannot be set')),
    ...validateClaimSpec(spec ?? {}, `${at}.spec`),
  ];
}

/** Source: `validateHostPathVolumeSource`. */
export function validateHostPath(source: Volume['hostPath'], path: string): FieldError[] {
  if (!source?.path) return [required(`${path}.path`)];
  const errors = validateNoBacksteps(source.path, `${path}.path`);
  if (source.type !== undefined && !hostPathTypes.includes(source.type)) {
    errors.push(notSupported(`${path}.type`, source.type, hostPathTypes));
  }
  return errors;
}
