import type { Predicate, SeenObject } from '@evenkeel/core';
import { isUpdatePredicate, markUpdatePredicate } from './change-predicates.ts';

/** Lets an event pass where every one of the predicates does; they are asked in order, until one refuses. */
export function allOf<T extends SeenObject = SeenObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined(predicates, (event) => predicates.every((predicate) => predicate(event)));
}

/** Lets an event pass where one of the predicates does; they are asked in order, until one agrees. Of none, none passes. */
export function anyOf<T extends SeenObject = SeenObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return combined(predicates, (event) => predicates.some((predicate) => predicate(event)));
}

/**
 * Lets an event pass where the predicate refuses it. Of a change predicate, and of `allOf` and `anyOf` of nothing but these,
 * it negates what they say of updates: objects that come and go pass all the same. (controller-runtime's `Not` refuses
 * those, so that an object is not reconciled when it is created.)
 */
export function not<T extends SeenObject = SeenObject>(predicate: Predicate<T>): Predicate<T> {
  if (!isUpdatePredicate(predicate)) return (event) => !predicate(event);
  return markUpdatePredicate((event) => event.verb !== 'updated' || !predicate(event));
}

function combined<T extends SeenObject>(parts: readonly Predicate<T>[], whole: Predicate<T>): Predicate<T> {
  return parts.length > 0 && parts.every((part) => isUpdatePredicate(part)) ? markUpdatePredicate(whole) : whole;
}
