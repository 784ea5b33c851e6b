import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** A value for documentation, as JSON. It is in the CRD as `example`; nothing checks or uses it. */
export function Example(value: unknown): InstanceMemberDecorator {
  return declareProperty({ says: 'example', value });
}
