import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/**
 * Keeps what the schema does not know, which the API server otherwise prunes: on a class in its objects, on a property
 * in its value. What is declared is still checked. On a list or a map it is about the elements. A property of unknown
 * type may then hold any JSON; a property that would recurse is cut and holds any object.
 */
export function PreserveUnknownFields(): SchemaDecorator {
  return declareEither({ says: 'preserveUnknownFields' });
}
