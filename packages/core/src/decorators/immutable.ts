import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * The value cannot change once the object has it: the CEL rule `self == oldSelf`. Where it may be missing, a rule of the
 * object around it also keeps it from being removed; setting it later is allowed. It holds as long as that object stays:
 * whoever may remove the object around it can start anew. Not possible below a list without `@ListType('map', ...)`,
 * whose items have no old selves.
 */
export function Immutable(): InstanceMemberDecorator {
  return declareProperty({ says: 'immutable' });
}
