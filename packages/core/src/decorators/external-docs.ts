import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

/** The options of `@ExternalDocs`. */
export interface ExternalDocsOptions {
  /** A URL with its scheme. */
  url: string;
  description?: string;
}

/** A link to documentation for a class or a property. A link on the property overrides the link of the property's class. */
export function ExternalDocs(docs: ExternalDocsOptions): SchemaDecorator {
  return declareEither({ ...docs, says: 'externalDocs' });
}
