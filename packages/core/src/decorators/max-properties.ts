import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The greatest number of keys that a map or an object has. It also bounds what CEL rules above it may cost. */
export function MaxProperties(count: number): InstanceMemberDecorator {
  return declareProperty({ says: 'maxProperties', value: count });
}
