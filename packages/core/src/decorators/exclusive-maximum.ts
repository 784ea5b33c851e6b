import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Requires a value less than this number. A bound that is not an integer becomes a CEL rule. */
export function ExclusiveMaximum(bound: number): InstanceMemberDecorator {
  return declareProperty({ says: 'exclusiveMaximum', value: bound });
}
