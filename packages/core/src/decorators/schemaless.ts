import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * The schema begins empty, whatever the declared type is: only decorators of ours say what it holds. It needs at least
 * `@Schema({ type })` or `@PreserveUnknownFields()`, without which the API server refuses the CRD.
 */
export function Schemaless(): InstanceMemberDecorator {
  return declareProperty({ says: 'schemaless' });
}
