import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The maximum number of keys in a map or an object. It also limits the estimated cost of CEL rules above it. */
export function MaxProperties(count: number): InstanceMemberDecorator {
  return declareProperty({ says: 'maxProperties', value: count });
}
