import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * The value that the API server writes where the property is missing, as JSON. It wins over an initialiser, which must
 * not say something else; an initialiser alone says the same. A property with a default is never required. A default
 * that breaks the property's own schema is refused at generation. It is set only where the object above it exists.
 */
export function Default(value: unknown): InstanceMemberDecorator {
  return declareProperty({ says: 'default', value });
}
