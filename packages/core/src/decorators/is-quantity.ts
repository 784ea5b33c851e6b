import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * A Kubernetes quantity: `500m`, `1Gi`, `2`. An integer, or a string with the pattern that controller-gen writes for
 * `resource.Quantity`. CEL rules read it with `quantity(string(self))`.
 */
export function IsQuantity(): InstanceMemberDecorator {
  return declareProperty({ says: 'quantity' });
}
