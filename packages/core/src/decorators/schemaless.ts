import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Ignores the declared type: the schema starts empty, and only Evenkeel's own decorators add to it. It needs at least
 * `@Schema({ type })` or `@PreserveUnknownFields()`; the API server rejects the CRD otherwise.
 */
export function Schemaless(): InstanceMemberDecorator {
  return declareProperty({ says: 'schemaless' });
}
