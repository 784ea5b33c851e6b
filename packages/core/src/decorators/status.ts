import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Marks the property with the observed state, and enables the status subresource: a write to the object does not change the
 * status, and a write to its `/status` changes only the status. Inside a reconcile, the property is always an object.
 */
export function Status(): InstanceMemberDecorator {
  return declareProperty({ says: 'status' });
}
