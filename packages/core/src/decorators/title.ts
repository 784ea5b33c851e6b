import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/** A title for documentation of a class or a property. A title on the property overrides the title of the property's class. */
export function Title(text: string): SchemaDecorator {
  return declareEither({ says: 'title', text });
}
