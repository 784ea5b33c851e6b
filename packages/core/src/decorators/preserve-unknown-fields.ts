import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * Keeps fields that the schema does not declare. The API server prunes them otherwise. On a class it applies to the objects of
 * the class, on a property to its value, on a list or map to the elements. Declared fields are still checked. A property of
 * unknown type accepts any JSON, and a property that would recurse accepts any object.
 */
export function PreserveUnknownFields(): SchemaDecorator {
  return declareEither({ says: 'preserveUnknownFields' });
}
