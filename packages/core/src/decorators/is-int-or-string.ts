import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** A whole number or a string, such as a port by number or by name: `x-kubernetes-int-or-string`. */
export function IsIntOrString(): InstanceMemberDecorator {
  return declareProperty({ says: 'intOrString' });
}
