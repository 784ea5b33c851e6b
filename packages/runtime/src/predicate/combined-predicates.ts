import type { Predicate, SeenObject } from '@evenkeel/core';
import { isUpdatePredicate, markUpdatePredicate } from './change-predicates.ts';

/** Lets an event pass if all predicates do. They are called in order until one returns false. */
export function allOf<T extends SeenObject = SeenObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined(predicates, (event) => predicates.every((predicate) => predicate(event)));
}

/** Lets an event pass if one of the predicates does. They are called in order until one returns true. Without predicates, no event passes. */
export function anyOf<T extends SeenObject = SeenObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined(predicates, (event) => predicates.some((predicate) => predicate(event)));
}

/**
 * Lets an event pass if the predicate does not. For a change predicate, or `allOf` and `anyOf` of only change predicates, it
 * negates only the filter of updates: added and deleted objects still pass. (controller-runtime's `Not` drops these, so that an
 * object is not reconciled when it is created.)
 */
export function not<T extends SeenObject = SeenObject>(predicate: Predicate<T>): Predicate<T> {
  if (!isUpdatePredicate(predicate)) return (event) => !predicate(event);
  return markUpdatePredicate((event) => event.verb !== 'updated' || !predicate(event));
}

function combined<T extends SeenObject>(parts: readonly Predicate<T>[], whole: Predicate<T>): Predicate<T> {
  return parts.length > 0 && parts.every((part) => isUpdatePredicate(part)) ? markUpdatePredicate(whole) : whole;
}
