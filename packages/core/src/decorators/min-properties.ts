import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** The minimum number of keys in a map or an object. */
export function MinProperties(count: number): InstanceMemberDecorator {
  return declareProperty({ says: 'minProperties', value: count });
}
