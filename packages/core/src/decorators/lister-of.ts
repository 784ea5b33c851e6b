import { declare, type Recording, recordField } from '../declarations/class-record.ts';
import type { AnyClass, KindWord, ObjectOfReference, WatchedReference } from '../declarations/class-reference.ts';
import type { SeenObject } from '../predicate/object-event.ts';

/** What `@ListerOf` records: the kind whose cache a parameter reads. */
export interface ListerDeclaration {
  readonly kind: WatchedReference;
  /** The index of the constructor parameter. */
  readonly parameter: number;
}

/** Decorates the constructor parameter at position `P` of a class `C`. */
type ListerDecorator<T extends SeenObject> = <C extends AnyClass, P extends number>(
  target: C & TakesLister<C, P, T>,
  method: undefined,
  parameter: P,
) => void;

/**
 * An additional constraint on the class. If the parameter is not such a Lister, the compiler's error shows the text. A type with
 * more fields, even optional ones, would promise data that never arrives.
 */
type TakesLister<
  C extends AnyClass,
  P extends number,
  T extends SeenObject,
> = unknown extends ConstructorParameters<C>[P]
  ? unknown
  : NonNullable<ConstructorParameters<C>[P]> extends { list(...options: never): readonly (infer Listed)[] }
    ? [T, keyof Listed] extends [Listed, keyof T]
      ? unknown
      : `@ListerOf gives a Lister of ${KindWord<T>}; the parameter has a Lister of another type`
    : `@ListerOf gives a Lister of ${KindWord<T>}; the type of the parameter is not a Lister`;

/**
 * Injects a lister for a kind that the controller reconciles, owns or watches. Put it on a constructor parameter.
 *
 * The compiler rejects a parameter with another type than a Lister of that kind. Not promised: that it distinguishes two kinds
 * of the same structure. Without a type check, the start reports a parameter that is not a Lister, but cannot see of what.
 */
export function ListerOf<const R extends WatchedReference>(kind: R): ListerDecorator<ObjectOfReference<R>> {
  return (target, _method, parameter) => declare(listers, target, { kind, parameter });
}

/** Constructor parameters belong to the class whose constructor runs: the nearest class for which the compiler recorded one. */
const byConstructor: Recording<ListerDeclaration, readonly ListerDeclaration[]> = {
  empty: () => [],
  add: (own, declaration) => [...own, declaration],
  inherit: (inherited, own, target) =>
    own.length > 0 || Reflect.hasOwnMetadata('design:paramtypes', target) ? own : inherited,
};

/** The record of `@ListerOf`. The container reads it for controllers and services. */
export const listers = recordField('listers', byConstructor);
