import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/** Allows at most one of these properties of the class, as `@ExactlyOneOf` counts them. Repeat it for several groups. */
export function AtMostOneOf(...properties: readonly string[]): (target: AnyClass) => void {
  return declareSchema({ says: 'members', set: 'atMostOne', of: properties });
}
