import type { Volume } from '@evenkeel/kinds';
import { type FieldError, forbidden, invalid, required } from '../../apimachinery/index.ts';
import { validateFieldReference, validateResourceReference, volumeFields } from './environment-validation.ts';

const fileModeMessage = 'must be a number between 0 and 0777 (octal), both inclusive';
const tokenSecondsMin = 600;
const tokenSecondsMax = 2 ** 32;

/** Validates a path below another one: it must be relative and must not contain `..`. */
export function validateDescendingPath(target: string, path: string): FieldError[] {
  const errors = target.startsWith('/') ? [invalid(path, target, 'must be a relative path')] : [];
  return [...errors, ...validateNoBacksteps(target, path)];
}

/** Rejects `..` in a path. */
export function validateNoBacksteps(target: string, path: string): FieldError[] {
  return target.split('/').includes('..') ? [invalid(path, target, "must not contain '..'")] : [];
}

interface Files {
  readonly defaultMode?: number;
  readonly items?: readonly { key: string; path: string; mode?: number }[];
}

/** Validates the files of a ConfigMap or a Secret. Source: `validateConfigMapVolumeSource`. */
export function validateFiles(source: Files | undefined, path: string): FieldError[] {
  return [
    ...validateMode(source?.defaultMode, `${path}.defaultMode`),
    ...(source?.items ?? []).flatMap((item, index) => {
      const at = `${path}.items[${index}]`;
      return [
        ...(item.key ? [] : [required(`${at}.key`)]),
        ...(item.path ? [] : [required(`${at}.path`)]),
        ...validateFilePath(item.path ?? '', `${at}.path`),
        ...validateMode(item.mode, `${at}.mode`),
      ];
    }),
  ];
}

/** Source: `validateDownwardAPIVolumeSource`. */
export function validateDownwardApi(source: Volume['downwardAPI'], path: string): FieldError[] {
  return [
    ...validateMode(source?.defaultMode, `${path}.defaultMode`),
    ...(source?.items ?? []).flatMap((file) => validateDownwardFile(file, path)),
  ];
}

/** Source: `validateProjectedVolumeSource`. As upstream, some of the paths are those of the volume. */
export function validateProjected(source: Volume['projected'], path: string): FieldError[] {
  const errors = validateMode(source?.defaultMode, `${path}.defaultMode`);
  const places = new Set<string>();
  const place = (target: string | undefined, value: string): void => {
    if (target && places.has(target)) errors.push(invalid(path, value, 'conflicting duplicate paths'));
    if (target) places.add(target);
  };
  for (const [index, one] of (source?.sources ?? []).entries()) {
    const at = `${path}.sources[${index}]`;
    for (const kind of ['secret', 'configMap'] as const) {
      const files = one[kind];
      if (files === undefined) continue;
      if (!files.name) errors.push(required(`${at}.${kind}.name`));
      errors.push(...validateFiles(files, `${at}.${kind}`));
      for (const item of files.items ?? []) place(item.path, files.name ?? '');
    }
    for (const file of one.downwardAPI?.items ?? []) {
      errors.push(...validateDownwardFile(file, `${at}.downwardAPI`));
      place(file.path, file.path);
    }
    if (one.serviceAccountToken !== undefined) {
      const { expirationSeconds: seconds = 0, path: target } = one.serviceAccountToken;
      const refuse = (bound: string): FieldError =>
        invalid(`${at}.serviceAccountToken.expirationSeconds`, seconds, `may not specify a duration ${bound}`);
      if (seconds < tokenSecondsMin) errors.push(refuse('less than 10 minutes'));
      if (seconds > tokenSecondsMax) errors.push(refuse('larger than 2^32 seconds'));
      errors.push(...(target ? validateFilePath(target, `${path}.path`) : [required(`${path}.path`)]));
    }
    const kinds = ['secret', 'configMap', 'downwardAPI', 'serviceAccountToken'] as const;
    if (kinds.filter((kind) => one[kind] !== undefined).length > 1) {
      errors.push(forbidden(at, 'may not specify more than 1 volume type per source'));
    }
  }
  return errors;
}

type DownwardFile = NonNullable<NonNullable<Volume['downwardAPI']>['items']>[number];

/** Source: `validateDownwardAPIVolumeFile`. As upstream, the paths have no index. */
function validateDownwardFile(
  { path: target, fieldRef, resourceFieldRef, mode }: DownwardFile,
  path: string,
): FieldError[] {
  const errors = target ? [] : [required(`${path}.path`)];
  errors.push(...validateFilePath(target ?? '', `${path}.path`));
  if (fieldRef !== undefined) {
    errors.push(...validateFieldReference(fieldRef, volumeFields, `${path}.fieldRef`));
    if (resourceFieldRef !== undefined) {
      errors.push(invalid(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously'));
    }
  } else if (resourceFieldRef !== undefined) {
    const at = `${path}.resourceFieldRef`;
    const isComplete = Boolean(resourceFieldRef.containerName);
    errors.push(...validateResourceReference(resourceFieldRef, at, isComplete ? undefined : `${at}.containerName`));
  } else errors.push(required(path, 'one of fieldRef and resourceFieldRef is required'));
  return [...errors, ...validateMode(mode, `${path}.mode`)];
}

/** Source: `ValidateLocalNonReservedPath`. */
function validateFilePath(target: string, path: string): FieldError[] {
  const errors = validateDescendingPath(target, path);
  if (/^\.\.(?!\/)/.test(target)) errors.push(invalid(path, target, "must not start with '..'"));
  return errors;
}

function validateMode(mode: number | undefined, path: string): FieldError[] {
  return mode !== undefined && (mode < 0 || mode > 0o777) ? [invalid(path, mode, fileModeMessage)] : [];
}
