import {
  declareProperty,
  type ElementsDeclaration,
  type InstanceMemberDecorator,
  type Prototype,
} from '../declarations/property.ts';

/** A property decorator of class-validator, class-transformer or Evenkeel. */
export type ElementDecorator = (target: Prototype, property: string) => void;

/**
 * Applies decorators to the items of a list, like decorators on a property of the items' type:
 * `@Items(IsString(), MaxLength(63))`, `@Items(Rule('self.size > 0'))`. For lists of lists, nest it: `@Items(Items(Min(0)))`.
 * `{ each: true }` in a decorator of class-validator has the same effect on the schema.
 */
export function Items(...decorators: readonly ElementDecorator[]): InstanceMemberDecorator {
  return declareElements('items', decorators);
}

/** Returns a decorator that records the declarations of other decorators for elements. */
export function declareElements(
  says: ElementsDeclaration['says'],
  decorators: readonly ElementDecorator[],
): InstanceMemberDecorator {
  const element = class {};
  const mistaken: unknown[] = [];
  // Decorators run from the last to the first.
  for (const decorate of decorators.toReversed()) {
    const given: unknown =
      typeof decorate === 'function' ? decorate(element.prototype as Prototype, 'element') : decorate;
    // A factory without "()" returns a decorator.
    if (typeof decorate !== 'function' || typeof given === 'function') mistaken.unshift(decorate);
  }
  return declareProperty({ says, element, mistaken });
}
