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
} from '../../apimachinery/index.ts';
import { validateFieldReference, volumeFields } from './environment-validation.ts';

const fileModeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';

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
 * Source: `ValidateVolumes`, `pkg/apis/core/validation/validation.go`. Sources in a storage system (NFS, iSCSI, CSI and
 * the like) are only counted, not validated. `podName` is empty in a template.
 */
export function validateVolumes(volumes: readonly Volume[] | undefined, path: string, podName = ''): CheckedVolumes {
  const known = new Map<string, Volume>();
  const errors: FieldError[] = [];
  for (const [index, volume] of (volumes ?? []).entries()) {
    const at = `${path}[${index}]`;
    const found = [...validateSource(volume, at), ...validateClaimName(volume, podName, `${at}.name`)];
    if (!volume.name) found.push(required(`${at}.name`));
    else found.push(...invalidBy(dns1123LabelErrors, `${at}.name`, volume.name));
    if (known.has(volume.name)) found.push(duplicate(`${at}.name`, volume.name));
    if (found.length === 0) known.set(volume.name, volume);
    errors.push(...found);
  }
  return { known, errors };
}

/** Validates the name of the claim of an ephemeral volume, which starts with that of the Pod. */
function validateClaimName({ name, ephemeral }: Volume, podName: string, path: string): FieldError[] {
  if (ephemeral === undefined || podName === '' || !name) return [];
  const claim = `${podName}-${name}`;
  return dns1123SubdomainErrors(claim).map((why) => invalid(path, name, `PVC name ${goQuote(claim)}: ${why}`));
}

/** Validates a path below another one: it must be relative and must not contain `..`. */
export function validateDescendingPath(target: string, path: string): FieldError[] {
  const errors = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...errors, ...validateNoBacksteps(target, path)];
}

/** Rejects `..` in a path. */
export function validateNoBacksteps(target: string, path: string): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

/** Upstream checks these sources first. */
const firstSources: readonly string[] = ['emptyDir', 'hostPath'];

function sourcesInOrder(volume: Volume): (keyof Volume)[] {
  const sources = Object.keys(volume).filter((name) => name !== 'name');
  const first = firstSources.filter((name) => sources.includes(name));
  return [...new Set([...first, ...sources])] as (keyof Volume)[];
}

function validateSource(volume: Volume, path: string): FieldError[] {
  const errors: FieldError[] = [];
  let found = false;
  for (const kind of sourcesInOrder(volume)) {
    if (volume[kind] === undefined) continue;
    const at = `${path}.${kind}`;
    if (found) errors.push(forbidden(at, 'may not specify more than 1 volume type'));
    else errors.push(...validateKind(volume, kind, at));
    found = true;
  }
  if (!found) errors.push(required(path, 'must specify a volume type'));
  return errors;
}

function validateKind(volume: Volume, kind: keyof Volume, path: string): FieldError[] {
  switch (kind) {
    case 'emptyDir': {
      const limit = volume.emptyDir?.sizeLimit;
      return limit !== undefined && quantityNanos(limit) < 0n
        ? [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
        : [];
    }
    case 'hostPath':
      return validateHostPath(volume.hostPath, path);
    case 'configMap':
      return [...(volume.configMap?.name ? [] : [required(`${path}.name`)]), ...validateFiles(volume.configMap, path)];
    case 'secret':
      return [
        ...(volume.secret?.secretName ? [] : [required(`${path}.secretName`)]),
        ...validateFiles(volume.secret, path),
      ];
    case 'persistentVolumeClaim':
      return volume.persistentVolumeClaim?.claimName ? [] : [required(`${path}.claimName`)];
    case 'downwardAPI':
      return [
        ...validateMode(volume.downwardAPI?.defaultMode, `${path}.defaultMode`),
        ...(volume.downwardAPI?.items ?? []).flatMap(({ fieldRef }) =>
          fieldRef === undefined ? [] : validateFieldReference(fieldRef, volumeFields, `${path}.fieldRef`),
        ),
      ];
    case 'projected':
      return validateProjected(volume.projected, path);
    default:
      return [];
  }
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

function validateProjected(source: Volume['projected'], path: string): FieldError[] {
  const errors = validateMode(source?.defaultMode, `${path}.defaultMode`);
  for (const [index, { configMap, secret, serviceAccountToken }] of (source?.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    if (configMap !== undefined) {
      if (!configMap.name) errors.push(required(`${at}.configMap.name`));
      errors.push(...validateFiles(configMap, `${at}.configMap`));
    }
    if (secret !== undefined) {
      if (!secret.name) errors.push(required(`${at}.secret.name`));
      errors.push(...validateFiles(secret, `${at}.secret`));
    }
    if (serviceAccountToken !== undefined && !serviceAccountToken.path) {
      errors.push(required(`${at}.serviceAccountToken.path`));
    }
  }
  return errors;
}

interface Files {
  readonly defaultMode?: number;
  readonly items?: readonly { key: string; path: string; mode?: number }[];
}

function validateFiles(source: Files | undefined, path: string): FieldError[] {
  const errors = validateMode(source?.defaultMode, `${path}.defaultMode`);
  for (const [index, item] of (source?.items ?? []).entries()) {
    const at = `${path}.items[${index}]`;
    if (!item.key) errors.push(required(`${at}.key`));
    if (!item.path) errors.push(required(`${at}.path`));
    errors.push(...validateDescendingPath(item.path ?? '', `${at}.path`));
    if (/^\.\.(?!\/)/.test(item.path ?? '')) {
      errors.push(invalid(`${at}.path`, item.path, "must not start with '..'"));
    }
    errors.push(...validateMode(item.mode, `${at}.mode`));
  }
  return errors;
}

function validateMode(mode: number | undefined, path: string): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(path, mode, fileModeMessage)] : [];
}
