import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * A length of time as Go writes it: `1h30m`, `250ms`, `0`, `-2s`; units are ns, us, ms, s, m and h. It is a string with a
 * pattern, not the format `duration`, which also accepts `3 days` and makes the value a duration in CEL rules; those say
 * `duration(self)`.
 */
export function IsDuration(): InstanceMemberDecorator {
  return declareProperty({ says: 'duration' });
}
