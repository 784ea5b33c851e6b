import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The least number of keys that a map or an object has. */
export function MinProperties(count: number): InstanceMemberDecorator {
  return declareProperty({ says: 'minProperties', value: count });
}
