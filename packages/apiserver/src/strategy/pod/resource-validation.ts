import type { PodSpec, ResourceRequirements } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  type FieldError,
  forbidden,
  formatQuantity,
  invalid,
  notSupported,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';
import { amountsOf } from '../resource-amounts.ts';
import {
  isHugePages,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceAmount,
  validateResourceName,
} from '../resource-rules.ts';
import { isPodLevelResource, sumOfContainers } from './pod-resources.ts';

/**
 * `validateName` has the rules of the names of resources. Default: those of containers.
 *
 * Source: `validateResourceRequirements`, `pkg/apis/core/validation/validation.go`.
 */
export function validateResourceRequirements(
  resources: ResourceRequirements | undefined,
  path: string,
  validateName: (name: string, path: string) => FieldError[] = validateContainerResourceName,
): FieldError[] {
  const errors: FieldError[] = [];
  const limits = resources?.limits ?? {};
  const requests = resources?.requests ?? {};
  for (const [name, amount] of Object.entries(limits)) {
    errors.push(...validateName(name, `${path}.limits[${name}]`));
    errors.push(...validateResourceAmount(name, amount, `${path}.limits[${name}]`));
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${path}.requests`;
    errors.push(...validateName(name, `${at}[${name}]`), ...validateResourceAmount(name, amount, `${at}[${name}]`));
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

/** The resources of all containers of a pod together. Source: `validatePodResources`. */
export function validatePodResources(spec: PodSpec, path: string): FieldError[] {
  const { resources, os } = spec;
  if (resources === undefined) return [];
  if (os?.name === 'windows') return [forbidden(path, 'may not be set for a windows pod')];
  const errors: FieldError[] = [];
  if (resources.claims !== undefined) {
    errors.push(forbidden(`${path}.claims`, 'claims may not be set for Resources at pod-level'));
  }
  errors.push(...validateResourceRequirements(resources, path, validatePodResourceName));
  const totals = { requests: (name: string) => !!name, limits: isHugePages } as const;
  for (const member of ['requests', 'limits'] as const) {
    const ofPod = amountsOf(resources[member]);
    for (const [name, total] of sumOfContainers(spec, (container) => amountsOf(container.resources?.[member]))) {
      const amount = ofPod.get(name);
      if (!totals[member](name) || amount === undefined || total.nanos <= amount.nanos) continue;
      const detail = `must be greater than or equal to aggregate container ${member} of ${formatQuantity(total)}`;
      errors.push(invalid(`${path}.${member}[${name}]`, formatQuantity(amount), detail));
    }
  }
  const limits = amountsOf(resources.limits);
  for (const [index, container] of (spec.containers ?? []).entries()) {
    for (const [name, amount] of amountsOf(container.resources?.limits)) {
      const limit = limits.get(name);
      if (limit === undefined || amount.nanos <= limit.nanos) continue;
      const detail = `must be less than or equal to pod limits of ${formatQuantity(limit)}`;
      errors.push(invalid(`${path}.containers[${index}][${name}].limits`, formatQuantity(amount), detail));
    }
  }
  return errors;
}

function validatePodResourceName(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (errors.length > 0 || isPodLevelResource(name)) return errors;
  return [notSupported(path, name, ['cpu', 'hugepages-', 'memory'])];
}
