import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Requires a value greater than this number. A bound that is not an integer becomes a CEL rule. */
export function ExclusiveMinimum(bound: number): InstanceMemberDecorator {
  return declareProperty({ says: 'exclusiveMinimum', value: bound });
}
