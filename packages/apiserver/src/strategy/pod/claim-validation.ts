import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  dns1123SubdomainErrors,
  type FieldError,
  forbidden,
  invalid,
  invalidBy,
  jsonEqual,
  notSupported,
  quantityNanos,
  required,
  validateLabelSelector,
} from '../../apimachinery/index.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** Source: `ValidatePersistentVolumeClaimSpec`, `pkg/apis/core/validation/validation.go`; the errors in its order. */
export function validateClaimSpec(spec: PersistentVolumeClaimSpec, path: string): FieldError[] {
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
  return errors;
}

/**
 * A claim keeps its spec, but for its volume while it has none, and for more storage once it is bound. Source:
 * `ValidatePersistentVolumeClaimUpdate`; the diff of Go structs at the end of its message is left out.
 */
export function validateClaimUpdate(
  { spec = {} }: PersistentVolumeClaim,
  { spec: old = {}, status }: PersistentVolumeClaim,
): readonly FieldError[] {
  const errors = validateClaimSpec(spec, 'spec');
  const fixed = (claim: PersistentVolumeClaimSpec): object => ({
    ...claim,
    volumeName: old.volumeName ? claim.volumeName : undefined,
    storageClassName: old.storageClassName === undefined ? undefined : claim.storageClassName,
    volumeAttributesClassName: undefined,
    resources: { ...claim.resources, requests: { ...claim.resources?.requests, storage: '' } },
  });
  if (!jsonEqual(withoutUndefined(fixed(spec)), withoutUndefined(fixed(old)))) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
    errors.push(forbidden('spec', detail));
  }
  const storage = quantityNanos(spec.resources?.requests?.['storage']);
  const before = quantityNanos(old.resources?.requests?.['storage']);
  if (storage !== before && status?.phase !== 'Bound') {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims\n';
    errors.push(forbidden('spec', detail));
  } else if (storage < before) {
    const detail = 'field can not be less than status.capacity';
    errors.push(forbidden('spec.resources.requests.storage', detail));
  }
  return errors;
}

function withoutUndefined(object: object): object {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}
