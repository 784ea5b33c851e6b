import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** A number that the value must be greater than. Where the bound is not whole it becomes a CEL rule. */
export function ExclusiveMinimum(bound: number): InstanceMemberDecorator {
  return declareProperty({ says: 'exclusiveMinimum', value: bound });
}
