import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Marks a list of standard conditions: a `metav1.Condition` schema, merged by `type` in server-side apply. */
export function Conditions(): InstanceMemberDecorator {
  return declareProperty({ says: 'conditions' });
}
