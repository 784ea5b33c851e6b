import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** An integer or a string, such as the number or the name of a port. Sets `x-kubernetes-int-or-string`. */
export function IsIntOrString(): InstanceMemberDecorator {
  return declareProperty({ says: 'intOrString' });
}
