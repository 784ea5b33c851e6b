import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';
import type { SchemaKeywords } from '../declarations/schema-keywords.ts';

/**
 * Keywords that go into the property's schema as they are: the way out where no decorator says it. They replace what
 * other decorators wrote under the same keyword; rules and `allOf` are added to those there, `properties` one by one.
 * Names of keywords are checked, and the CRD as a whole by the API server's rules.
 */
export function Schema(keywords: SchemaKeywords): InstanceMemberDecorator {
  return declareProperty({ says: 'schema', keywords });
}
