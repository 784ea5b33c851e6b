import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';
import type { SchemaKeywords } from '../declarations/schema-keywords.ts';

/**
 * Copies keywords unchanged into the property's schema. Use it if no decorator exists for a keyword. It replaces the keywords
 * that other decorators set, except that rules and `allOf` are appended and `properties` are merged by name. The generator
 * checks the names of keywords, and checks the complete CRD with the API server's rules.
 */
export function Schema(keywords: SchemaKeywords): InstanceMemberDecorator {
  return declareProperty({ says: 'schema', keywords });
}
