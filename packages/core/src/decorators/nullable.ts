import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Allows `null` as a value. The API server then keeps a null and does not replace it with the default. Without this decorator,
 * the server removes nulls before it validates the object. CEL rules see a null as a missing property. A required nullable
 * property must be present, with a value or null.
 */
export function Nullable(): InstanceMemberDecorator {
  return declareProperty({ says: 'nullable' });
}
