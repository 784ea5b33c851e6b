import {
  canonicalQuantity,
  type FieldError,
  invalid,
  labelKeyErrors,
  nonNegativeMessage,
  quantityNanos,
} from '../apimachinery/index.ts';

/** Resources of which a container can request an amount. */
const containerResources = ['cpu', 'memory', 'ephemeral-storage'];

/** Resources that a quota limits by objects, and that have no fractions. */
const countedResources = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];

const quotaResources = new Set([
  ...containerResources,
  ...containerResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'requests.storage',
  ...countedResources,
]);

export const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isQuotaHugePages = (name: string): boolean => isHugePages(name) || name.startsWith('requests.hugepages-');

/** Whether Kubernetes itself defines the resource. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Whether a device plugin or a user defines the resource. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && labelKeyErrors(`requests.${name}`).length === 0;

/** Whether the limit of a resource may be higher than the request. */
export const mayOvercommit = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Whether the resource has no fractions. */
const isIntegerResource = (name: string): boolean => countedResources.includes(name) || isExtendedResource(name);

/** Whether a quota may limit the resource, whose name has no domain. */
export const isQuotaResource = (name: string): boolean => quotaResources.has(name) || isQuotaHugePages(name);

// The functions below have the rules of `pkg/apis/core/validation/validation.go`.

export function validateResourceName(name: string, path: string): FieldError[] {
  const errors = labelKeyErrors(name).map((detail) => invalid(path, name, detail));
  if (errors.length > 0 || name.includes('/') || name === 'storage' || isQuotaResource(name)) return errors;
  return [invalid(path, name, 'must be a standard resource type or fully qualified')];
}

export function validateContainerResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (!name.includes('/')) {
    if (containerResources.includes(name) || isHugePages(name)) return errors;
    return [...errors, invalid(path, name, 'must be a standard resource for containers')];
  }
  if (isNativeResource(name) || isExtendedResource(name)) return errors;
  return [...errors, invalid(path, name, "doesn't follow extended resource name standard")];
}

export function validateQuotaResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (name.includes('/') || isQuotaResource(name)) return errors;
  return [...errors, invalid(path, name, 'must be a standard resource for quota')];
}

/** Rejects a negative amount, and a fraction of a resource that has none (`ValidateResourceQuantityValue`). */
export function validateResourceAmount(name: string, amount: string | number, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const nanos = quantityNanos(amount);
  if (nanos < 0n) errors.push(invalid(path, canonicalQuantity(amount), nonNegativeMessage));
  if (isIntegerResource(name) && nanos % 1_000_000_000n !== 0n) {
    errors.push(invalid(path, canonicalQuantity(amount), 'must be an integer'));
  }
  return errors;
}
