import type { ResourceRequirements } from '@evenkeel/kinds';
import {
  canonicalQuantity,
  type FieldError,
  forbidden,
  invalid,
  quantityNanos,
  required,
} from '../../apimachinery/index.ts';
import {
  isHugePages,
  mayOvercommit,
  validateContainerResourceName,
  validateResourceAmount,
} from '../resource-rules.ts';

/** Source: `validateResourceRequirements`, `pkg/apis/core/validation/validation.go`. */
export function validateResourceRequirements(resources: ResourceRequirements | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const limits = resources?.limits ?? {};
  const requests = resources?.requests ?? {};
  for (const [name, amount] of Object.entries(limits)) {
    errors.push(...validateContainerResourceName(name, `${path}.limits[${name}]`));
    errors.push(...validateResourceAmount(name, amount, `${path}.limits[${name}]`));
  }
  for (const [name, amount] of Object.entries(requests)) {
    const at = `${path}.requests`;
    errors.push(
      ...validateContainerResourceName(name, `${at}[${name}]`),
      ...validateResourceAmount(name, amount, `${at}[${name}]`),
    );
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
