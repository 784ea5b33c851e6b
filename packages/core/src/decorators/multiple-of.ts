import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Requires an integer multiple of this number, which must be greater than 0. A factor that is not an integer becomes a CEL
 * rule, because the API server drops the fraction (kube-openapi pkg/validation/validate/values.go).
 */
export function MultipleOf(factor: number): InstanceMemberDecorator {
  return declareProperty({ says: 'multipleOf', value: factor });
}
