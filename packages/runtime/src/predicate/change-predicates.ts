import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { KubernetesObject, ObjectEvent, Predicate, SeenObject } from '@evenkeel/core';

/** Predicates that filter only updates. Added and deleted objects always pass. */
const updatePredicates = new WeakSet<Predicate<never>>();

/** Marks a predicate that filters only updates: all other events pass, also if it is negated. */
export function markUpdatePredicate<T extends SeenObject>(predicate: Predicate<T>): Predicate<T> {
  updatePredicates.add(predicate);
  return predicate;
}

export function isUpdatePredicate<T extends SeenObject>(predicate: Predicate<T>): boolean {
  return updatePredicates.has(predicate);
}

/** Returns a predicate that lets an update pass if `changed` returns true, and every other event. */
function onUpdates(changed: (object: SeenObject, previous: SeenObject) => boolean): Predicate {
  return markUpdatePredicate((event: ObjectEvent) => event.verb !== 'updated' || changed(event.object, event.previous));
}

/**
 * Lets an update pass if the resourceVersion differs. It does not differ if a resync repeats a known object. Every source of a
 * controller already uses this predicate. Filters only updates.
 */
export const resourceVersionChanged: Predicate = onUpdates(
  (object, previous) => object.metadata.resourceVersion !== previous.metadata.resourceVersion,
);

/**
 * Lets an update pass if `metadata.generation` differs: the spec was changed, or the object was deleted and waits for
 * finalizers. An update of only labels, annotations or status does not pass. Kinds without a generation, such as ConfigMap and
 * Secret, always pass. Filters only updates.
 */
export const generationChanged: Predicate = onUpdates(({ metadata }, previous) => {
  return metadata.generation === undefined || metadata.generation !== previous.metadata.generation;
});

/** Lets an update pass if a label was added, changed or removed. Filters only updates. */
export const labelsChanged: Predicate = onUpdates((object, previous) => differs(object, previous, 'labels'));

/** Lets an update pass if an annotation was added, changed or removed. Filters only updates. */
export const annotationsChanged: Predicate = onUpdates((object, previous) => differs(object, previous, 'annotations'));

function differs(object: SeenObject, previous: SeenObject, field: keyof KubernetesObject['metadata']): boolean {
  return !jsonEqual(object.metadata[field] ?? {}, previous.metadata[field] ?? {});
}
