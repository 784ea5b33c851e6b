import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * Forbids changes of the value once it is set, with the CEL rule `self == oldSelf`. If the property is optional, a rule on the
 * object that contains it also forbids its removal; setting it later is allowed. The rules apply only while that object
 * exists: a user who can remove the object can set another value. Not allowed in the items of a list without
 * `@ListType('map', ...)`, because they have no old value.
 */
export function Immutable(): InstanceMemberDecorator {
  return declareProperty({ says: 'immutable' });
}
