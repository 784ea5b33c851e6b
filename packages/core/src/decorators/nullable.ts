import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * `null` is a value of the property: the API server keeps it and sets no default in its place. Without it the server
 * removes null before it looks at the object. CEL rules see a null as a missing property. With a required property it
 * says "null or a value, but say which".
 */
export function Nullable(): InstanceMemberDecorator {
  return declareProperty({ says: 'nullable' });
}
