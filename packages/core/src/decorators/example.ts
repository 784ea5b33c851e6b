import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** An example value for documentation, as JSON. It is in the CRD as `example` and is never checked or used. */
export function Example(value: unknown): InstanceMemberDecorator {
  return declareProperty({ says: 'example', value });
}
