import { declareEither, type SchemaDecorator } from '../declarations/schema-declaration.ts';

export interface ExternalDocsOptions {
  /** Where there is more to read: a URL with its scheme. */
  url: string;
  description?: string;
}

/** A link to documentation, of a class or of a property. A property's own wins over that of its class. */
export function ExternalDocs(docs: ExternalDocsOptions): SchemaDecorator {
  return declareEither({ ...docs, says: 'externalDocs' });
}
