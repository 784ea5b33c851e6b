import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Marks the property that holds the desired state. Its class is read from the property's type. */
export function Spec(): InstanceMemberDecorator {
  return declareProperty({ says: 'spec' });
}
