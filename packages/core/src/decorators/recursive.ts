import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Cuts a recursion at this property: a structural schema cannot refer to itself. The class of the property is written
 * out `levels` times below it, 0 by default; below those it is any object, all of which is kept and nothing checked.
 */
export function Recursive(levels = 0): InstanceMemberDecorator {
  return declareProperty({ says: 'recursive', levels });
}
