import { jsonEqual } from '@evenkeel/apimachinery/json';
import type { KubernetesObject, ObjectEvent, Predicate, SeenObject } from '@evenkeel/core';

/** Predicates that decide updates alone: objects that come and go pass whatever they say. */
const updatePredicates = new WeakSet<Predicate<never>>();

/** Marks a predicate as one that lets every event pass that is no update, also where it is negated. */
export function markUpdatePredicate<T extends SeenObject>(predicate: Predicate<T>): Predicate<T> {
  updatePredicates.add(predicate);
  return predicate;
}

export function isUpdatePredicate<T extends SeenObject>(predicate: Predicate<T>): boolean {
  return updatePredicates.has(predicate);
}

/** A predicate that lets an update pass where `changed` says so, and every other event. */
function onUpdates(changed: (object: SeenObject, previous: SeenObject) => boolean): Predicate {
  return markUpdatePredicate((event: ObjectEvent) => event.verb !== 'updated' || changed(event.object, event.previous));
}

/**
 * Lets an update pass where the version differs; it does not where a resync replays what was seen already. Every source of a
 * controller has this one, so nothing is gained by naming it; as all change predicates, it filters only updates.
 */
export const resourceVersionChanged: Predicate = onUpdates(
  (object, previous) => object.metadata.resourceVersion !== previous.metadata.resourceVersion,
);

/**
 * Lets an update pass where `metadata.generation` differs: where the spec was changed, or the object was deleted and waits
 * for finalizers. Updates of labels, annotations and status alone do not pass. Kinds that count no generation, such as
 * ConfigMap and Secret, always pass. Filters only updates.
 */
export const generationChanged: Predicate = onUpdates(({ metadata }, previous) => {
  return metadata.generation === undefined || metadata.generation !== previous.metadata.generation;
});

/** Lets an update pass where a label was added, changed or taken away. Filters only updates. */
export const labelsChanged: Predicate = onUpdates((object, previous) => differs(object, previous, 'labels'));

/** Lets an update pass where an annotation was added, changed or taken away. Filters only updates. */
export const annotationsChanged: Predicate = onUpdates((object, previous) => differs(object, previous, 'annotations'));

function differs(object: SeenObject, previous: SeenObject, field: keyof KubernetesObject['metadata']): boolean {
  return !jsonEqual(object.metadata[field] ?? {}, previous.metadata[field] ?? {});
}
