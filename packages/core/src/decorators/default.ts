import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * The value, as JSON, that the API server sets if the property is missing. An initialiser alone has the same effect. If a
 * property has both, they must be equal. A property with a default is never required. Generation fails if the default violates
 * the property's own schema. The server sets the default only if the object that contains the property exists.
 */
export function Default(value: unknown): InstanceMemberDecorator {
  return declareProperty({ says: 'default', value });
}
