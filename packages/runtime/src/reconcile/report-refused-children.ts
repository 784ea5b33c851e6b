import type { EvenkeelError, KubernetesObject } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ConditionSet } from './condition-set.ts';

/** The condition of an object whose children cannot be applied because other objects have their names. */
export const childrenOwnedCondition = 'ChildrenOwned';
/** The reason of the condition and of the Event. A condition with another reason belongs to another writer and is kept. */
const foreignReason = 'ForeignChild';

/** The reason of the Event of a child that the cache lacks. It has no condition, because the next run sees the child. */
const notCachedReason = 'ChildNotCached';

export interface RefusedChildrenReport {
  readonly object: KubernetesObject;
  readonly errors: readonly EvenkeelError[];
  /** The conditions of the object's status. Undefined if its kind has none. */
  readonly conditions: ConditionSet | undefined;
  /** Whether the run succeeded. */
  readonly succeeded: boolean;
  readonly recorder: EventRecorder;
}

/**
 * Reports the applies that were not sent to protect an existing object, by a Warning Event for each. Foreign objects that have
 * the names of children are also reported by a condition that the next successful run removes. The recorder combines the
 * Events of retries into a series.
 */
export function reportRefusedChildren({
  object,
  errors,
  conditions,
  succeeded,
  recorder,
}: RefusedChildrenReport): void {
  const foreign = errors.filter(({ code }) => code === 'foreign-child');
  for (const error of errors) {
    recorder.warning(object, foreign.includes(error) ? foreignReason : notCachedReason, error.message);
  }
  if (foreign.length > 0) {
    const message = foreign.map((error) => error.message).join('\n');
    conditions?.set(childrenOwnedCondition, false, foreignReason, message);
  } else if (succeeded && conditions?.get(childrenOwnedCondition)?.reason === foreignReason) {
    conditions.remove(childrenOwnedCondition);
  }
}
