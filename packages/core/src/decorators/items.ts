import {
  declareProperty,
  type ElementsDeclaration,
  type InstanceMemberDecorator,
  type Prototype,
} from '../declarations/property.ts';

/** A decorator of properties: of class-validator, of class-transformer, or ours. */
export type ElementDecorator = (target: Prototype, property: string) => void;

/**
 * The decorators of a list's items, as if they stood on a property of the items' type:
 * `@Items(IsString(), MaxLength(63))`, `@Items(Rule('self.size > 0'))`, nested `@Items(Items(Min(0)))` for lists of lists.
 * The schema then also says what class-validator can check of the items only with `{ each: true }`, which means the same.
 */
export function Items(...decorators: readonly ElementDecorator[]): InstanceMemberDecorator {
  return declareElements('items', decorators);
}

/** A decorator that records what others say of elements. */
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
    // A factory, where "()" was forgotten, gives a decorator.
    if (typeof decorate !== 'function' || typeof given === 'function') mistaken.unshift(decorate);
  }
  return declareProperty({ says, element, mistaken });
}
