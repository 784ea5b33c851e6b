import type { InstanceMemberDecorator } from '../declarations/property.ts';
import { declareElements, type ElementDecorator } from './items.ts';

/**
 * Applies decorators to the values of a map, like decorators on a property of the values' type: `@Values(IsInt(), Min(0))` on
 * a `Record<string, number>`. The keys of a map have no schema; use a rule on the map.
 */
export function Values(...decorators: readonly ElementDecorator[]): InstanceMemberDecorator {
  return declareElements('values', decorators);
}
