import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/** Marks a list of standard conditions. Its items have the schema of `metav1.Condition`; server-side apply merges them by `type`. */
export function Conditions(): InstanceMemberDecorator {
  return declareProperty({ says: 'conditions' });
}
