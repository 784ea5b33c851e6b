import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Marks the property with the desired state. Its class is the type of the property. */
export function Spec(): InstanceMemberDecorator {
  return declareProperty({ says: 'spec' });
}
