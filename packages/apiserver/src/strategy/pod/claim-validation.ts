import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  dns1123LabelErrors,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  labelKeyErrors,
  notSupported,
  quantityNanos,
  required,
  validateLabelSelector,
} from '../../apimachinery/index.ts';
import { keepMember } from '../define-strategy.ts';
import { validateImmutable } from '../number-validation.ts';
import { roundedUp, wholeStep } from '../resource-amounts.ts';
import { isNativeResource, validateResourceAmount } from '../resource-rules.ts';

export const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Source: `ValidatePersistentVolumeClaimSpec`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: string, anyApiGroup = false): FieldError[] {
  const errors: FieldError[] = [];
  const modes = spec.accessModes ?? [];
  if (modes.length === 0) errors.push(required(`${path}.accessModes`, 'at least 1 access mode is required'));
  errors.push(...validateLabelSelector(spec.selector, `${path}.selector`));
  for (const mode of modes) {
    if (!accessModes.includes(mode)) errors.push(notSupported(`${path}.accessModes`, mode, accessModes));
  }
  if (modes.includes('ReadWriteOncePod') && modes.some((mode) => mode !== 'ReadWriteOncePod')) {
    errors.push(forbidden(`${path}.accessModes`, 'may not use ReadWriteOncePod with other access modes'));
  }
  const storagePath = `${path}.resources[storage]`;
  const storage = spec.resources?.requests?.['storage'];
  if (storage === undefined) errors.push(required(storagePath));
  else if (quantityNanos(storage) <= 0n) {
    errors.push(invalid(storagePath, canonicalQuantity(storage), 'must be greater than zero'));
  }
  if (spec.storageClassName) {
    errors.push(...invalidBy(dns1123SubdomainErrors, `${path}.storageClassName`, spec.storageClassName));
  }
  if (spec.volumeMode !== undefined && !['Block', 'Filesystem'].includes(spec.volumeMode)) {
    errors.push(notSupported(`${path}.volumeMode`, spec.volumeMode, ['Block', 'Filesystem']));
  }
  errors.push(
    ...validateDataSource(spec.dataSource, `${path}.dataSource`, anyApiGroup),
    ...validateDataSource(spec.dataSourceRef, `${path}.dataSourceRef`, anyApiGroup),
  );
  const namespace = spec.dataSourceRef?.namespace;
  if (namespace) errors.push(...invalidBy(dns1123LabelErrors, `${path}.dataSourceRef.namespace`, namespace));
  if (spec.dataSource !== undefined && namespace) {
    // Upstream shows the path as the value.
    errors.push(invalid(path, {}, 'may not be specified when dataSourceRef.namespace is specified'));
  } else if (spec.dataSource !== undefined && spec.dataSourceRef !== undefined) {
    if (!isSameSource(spec.dataSource, spec.dataSourceRef)) {
      errors.push(invalid(path, {}, 'must match dataSourceRef'));
    }
  }
  if (spec.volumeAttributesClassName) {
    const at = `${path}.volumeAttributesClassName`;
    errors.push(...invalidBy(dns1123SubdomainErrors, at, spec.volumeAttributesClassName));
  }
  return errors;
}

type DataSource = Pick<NonNullable<PersistentVolumeClaimSpec['dataSource']>, 'name' | 'kind'> & {
  apiGroup?: string | null;
};

/** Source: `validateDataSource`. */
function validateDataSource(source: DataSource | undefined, path: string, anyApiGroup: boolean): FieldError[] {
  if (source === undefined) return [];
  const { name, kind = '', apiGroup } = source;
  const errors: FieldError[] = [];
  if (!name) errors.push(required(`${path}.name`));
  if (kind === '') errors.push(required(`${path}.kind`));
  if (!apiGroup && kind !== 'PersistentVolumeClaim') {
    errors.push(invalid(path, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  return apiGroup && !anyApiGroup
    ? [...errors, ...invalidBy(dns1123SubdomainErrors, `${path}.apiGroup`, apiGroup)]
    : errors;
}

function isSameSource(one: DataSource, other: DataSource): boolean {
  const shown = ({ name, kind, apiGroup }: DataSource): string => JSON.stringify([name, kind, apiGroup ?? null]);
  return shown(one) === shown(other);
}

const changedSpec =
  'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';

/**
 * A claim's spec must not change, except that a claim without a volume may get one, and a bound claim may request more
 * storage. Source: `ValidatePersistentVolumeClaimUpdate`, without the diff of Go structs at the end of its message.
 */
export function validateClaimUpdate(
  { spec = {}, status }: PersistentVolumeClaim,
  { spec: old = {}, status: oldStatus }: PersistentVolumeClaim,
): readonly FieldError[] {
  // Upstream accepts any group if there was one.
  const hadApiGroup = Boolean(old.dataSource?.apiGroup ?? old.dataSourceRef?.apiGroup);
  const errors = validateClaimSpec(spec, 'spec', hadApiGroup);
  const isBound = status?.phase === 'Bound';
  const { requests } = spec.resources ?? {};
  const before = old.resources?.requests ?? {};
  const fixed: PersistentVolumeClaimSpec = {
    ...spec,
    ...(isBound &&
      requests !== undefined && {
        resources: { ...spec.resources, requests: { ...requests, storage: before['storage'] ?? '0' } },
      }),
  };
  const kept: (keyof PersistentVolumeClaimSpec)[] = [
    ...(old.volumeName ? [] : (['volumeName'] as const)),
    ...(old.storageClassName === undefined ? (['storageClassName'] as const) : []),
    ...(isBound ? (['volumeAttributesClassName'] as const) : []),
  ];
  for (const name of kept) keepMember(fixed, old, name);
  if (!jsonEqual(fixed, old)) errors.push(forbidden('spec', changedSpec));
  const size = quantityNanos(requests?.['storage']);
  if (size < quantityNanos(before['storage']) && size <= quantityNanos(oldStatus?.capacity?.['storage'])) {
    errors.push(forbidden('spec.resources.requests.storage', 'field can not be less than status.capacity'));
  }
  errors.push(...validateImmutable(spec.volumeMode, old.volumeMode, 'volumeMode'));
  if (oldStatus?.currentVolumeAttributesClassName !== undefined && !spec.volumeAttributesClassName) {
    const what = spec.volumeAttributesClassName === undefined ? 'nil' : 'empty string';
    const detail = `update to ${what} is forbidden when status.currentVolumeAttributesClassName is not nil`;
    errors.push(forbidden('spec.volumeAttributesClassName', detail));
  }
  return errors;
}

const resizeStates = [
  ...['ControllerResizeInProgress', 'ControllerResizeInfeasible', 'NodeResizePending', 'NodeResizeInProgress'],
  'NodeResizeInfeasible',
].sort();

/** Source: `ValidatePersistentVolumeClaimStatusUpdate`. */
export function validateClaimStatus({ spec, status }: PersistentVolumeClaim): readonly FieldError[] {
  const errors: FieldError[] = (spec?.accessModes ?? []).length === 0 ? [required('Spec.accessModes')] : [];
  for (const [name, amount] of Object.entries(status?.capacity ?? {})) {
    errors.push(...validateBasicAmount(amount, `status.capacity[${name}]`));
  }
  const states = 'status.allocatedResourceStatuses';
  for (const [name, state] of Object.entries(status?.allocatedResourceStatuses ?? {})) {
    errors.push(...validateResourceKey(name, states));
    // Upstream shows the key.
    if (!resizeStates.includes(state)) errors.push(notSupported(states, name, resizeStates));
  }
  const allocated = 'status.allocatedResources';
  for (const [name, amount] of Object.entries(status?.allocatedResources ?? {})) {
    const found = [...validateResourceKey(name, allocated), ...validateBasicAmount(amount, `${allocated}[${name}]`)];
    errors.push(...found);
    if (found.length === 0) errors.push(...validateResourceAmount('storage', amount, `${allocated}[${name}]`));
  }
  return errors;
}

function validateResourceKey(name: string, path: string): FieldError[] {
  const errors = invalidBy(labelKeyErrors, path, name);
  return errors.length === 0 && isNativeResource(name) && name !== 'storage'
    ? [notSupported(path, name, ['storage'])]
    : errors;
}

/** Rejects an amount whose whole number is negative (`validateBasicResource`). */
export function validateBasicAmount(amount: string | number, path: string): FieldError[] {
  const whole = roundedUp(quantityNanos(amount), wholeStep);
  return whole < 0n ? [invalid(path, whole, 'must be a valid resource quantity')] : [];
}
