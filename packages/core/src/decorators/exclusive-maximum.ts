import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** A number that the value must be less than. Where the bound is not whole it becomes a CEL rule. */
export function ExclusiveMaximum(bound: number): InstanceMemberDecorator {
  return declareProperty({ says: 'exclusiveMaximum', value: bound });
}
