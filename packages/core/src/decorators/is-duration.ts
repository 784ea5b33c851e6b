import { declareProperty, type InstanceMemberDecorator } from '../declarations/property.ts';

/**
 * A duration in Go's notation: `1h30m`, `250ms`, `0`, `-2s`. Units are ns, us, ms, s, m and h. The schema is a string with a
 * pattern. It does not use the format `duration`, which also accepts `3 days`. CEL rules must therefore convert the value with
 * `duration(self)`. In the operator, `durationMs()` converts it; it throws for a negative one, which
 * `@Matches(/^[^-]/)` rejects in the schema.
 */
export function IsDuration(): InstanceMemberDecorator {
  return declareProperty({ says: 'duration' });
}
