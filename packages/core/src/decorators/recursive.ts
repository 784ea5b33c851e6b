import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Ends a recursion at this property, because a structural schema cannot refer to itself. The schema repeats the class of the
 * property `levels` times. Below that it accepts any object, keeps all fields and checks none. Default: 0.
 */
export function Recursive(levels = 0): InstanceMemberDecorator {
  return declareProperty({ says: 'recursive', levels });
}
