import type { ResourceRequirements } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  type FieldError,
  forbidden,
  invalid,
  labelKeyErrors,
  nonNegativeMessage,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';

const containerResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources that a name without a domain may mean anywhere, in quotas too. */
const standardResources = new Set([
  ...containerResources,
  'requests.cpu',
  'requests.memory',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'storage',
  'requests.storage',
  'services.nodeports',
  'services.loadbalancers',
]);

const isHugePages = (name: string): boolean => name.startsWith('hugepages-');
const isNative = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');
const isExtended = (name: string): boolean =>
  !isNative(name) && !name.startsWith('requests.') && labelKeyErrors(`requests.${name}`).length === 0;
const mayOvercommit = (name: string): boolean => isNative(name) && !isHugePages(name);

/** Source: `validateResourceRequirements`, `pkg/apis/core/validation/validation.go`. */
export function validateResourceRequirements(resources: ResourceRequirements | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = resources?.limits ?? {};
  const requests = resources?.requests ?? {};
  for (const [name, amount] of Object.entries(limits)) {
    errors.push(...validateName(name, `${path}.limits[${name}]`));
    errors.push(...validateAmount(name, amount, `${path}.limits[${name}]`));
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${path}.requests`;
    errors.push(...validateName(name, `${at}[${name}]`), ...validateAmount(name, amount, `${at}[${name}]`));
    const limit = Object.hasOwn(limits, name) ? limits[name] : undefined;
    if (limit === undefined) {
      if (!mayOvercommit(name)) {
        errors.push(required(`${path}.limits`, 'Limit must be set for non overcommitable resources'));
      }
      continue;
    }
    const difference = quantityNanos(amount) - quantityNanos(limit);
    const relation = mayOvercommit(name) ? 'less than or equal to' : 'equal to';
    if (difference > 0n || (difference !== 0n && !mayOvercommit(name))) {
      const detail = `must be ${relation} ${name} limit of ${canonicalQuantity(limit)}`;
      errors.push(invalid(at, canonicalQuantity(amount), detail));
    }
  }
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  if (names.some(isHugePages) && !names.some((name) => name === 'cpu' || name === 'memory')) {
    errors.push(forbidden(path, 'HugePages require cpu or memory'));
  }
  return errors;
}

/** An amount that is negative, or a part of something that comes whole. */
function validateAmount(name: string, amount: string | number, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const nanos = quantityNanos(amount);
  if (nanos < 0n) errors.push(invalid(path, canonicalQuantity(amount), nonNegativeMessage));
  if (isExtended(name) && nanos % 1_000_000_000n !== 0n) {
    errors.push(invalid(path, canonicalQuantity(amount), 'must be an integer'));
  }
  return errors;
}

function validateName(name: string, path: string): FieldError[] {
  const errors = labelKeyErrors(name).map((detail) => invalid(path, name, detail));
  if (name.includes('/')) {
    if (!isNative(name) && !isExtended(name)) {
      errors.push(invalid(path, name, "doesn't follow extended resource name standard"));
    }
    return errors;
  }
  if (errors.length === 0 && !standardResources.has(name) && !isHugePages(name)) {
    errors.push(invalid(path, name, 'must be a standard resource type or fully qualified'));
  }
  if (!containerResources.has(name) && !isHugePages(name)) {
    errors.push(invalid(path, name, 'must be a standard resource for containers'));
  }
  return errors;
}
