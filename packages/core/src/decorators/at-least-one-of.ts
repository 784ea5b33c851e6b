import type { AnyClass } from '../declarations/class-reference.ts';
import { declareSchema } from '../declarations/schema-declaration.ts';

/** At least one of these properties of the class is there, as `@ExactlyOneOf` counts. Repeat it for several groups. */
export function AtLeastOneOf(...properties: readonly string[]): (target: AnyClass) => void {
  return declareSchema({ says: 'members', set: 'atLeastOne', of: properties });
}
