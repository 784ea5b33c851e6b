import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/**
 * Requires exactly one of these properties of the class. They must be optional and have no default. Only presence counts:
 * an empty string is present. Repeat it for several groups.
 */
export function ExactlyOneOf(...properties: readonly string[]): (target: AnyClass) => void {
  return declareSchema({ says: 'members', set: 'exactlyOne', of: properties });
}
