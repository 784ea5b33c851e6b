import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Marks the property that holds the observed state, and turns on the status subresource: writes to the object leave the
 * status alone, writes to its `/status` leave the rest alone. Always an object inside a reconcile.
 */
export function Status(): InstanceMemberDecorator {
  return declareProperty({ says: 'status' });
}
