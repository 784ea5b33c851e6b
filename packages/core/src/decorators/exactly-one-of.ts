import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/**
 * Exactly one of these properties of the class is there. They must be optional, without a default; what counts is
 * presence, so an empty string is there. Repeat it for several groups.
 */
export function ExactlyOneOf(...properties: readonly string[]): (target: AnyClass) => void {
  return declareSchema({ says: 'members', set: 'exactlyOne', of: properties });
}
