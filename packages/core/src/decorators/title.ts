import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/** A title for documentation, of a class or of a property. A property's own wins over that of its class. */
export function Title(text: string): SchemaDecorator {
  return declareEither({ says: 'title', text });
}
