import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/** At most one of these properties of the class is there, as `@ExactlyOneOf` counts. Repeat it for several groups. */
export function AtMostOneOf(...properties: readonly string[]): (target: AnyClass) => void {
  return declareSchema({ says: 'members', set: 'atMostOne', of: properties });
}
