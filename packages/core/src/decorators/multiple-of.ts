import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * The value must be a whole multiple of this number, which is greater than 0. Where it is not whole it becomes a CEL
 * rule, because the API server cuts the fraction off (kube-openapi pkg/validation/validate/values.go).
 */
export function MultipleOf(factor: number): InstanceMemberDecorator {
  return declareProperty({ says: 'multipleOf', value: factor });
}
