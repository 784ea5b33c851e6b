import type { EvenkeelError, KubernetesObject } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ConditionSet } from './condition-set.ts';

/** The condition of an object whose children cannot be applied because other objects have their names. */
export const childrenOwnedCondition = 'ChildrenOwned';
/** The reason of the condition and of the Event. A condition with another reason belongs to another writer and is kept. */
const foreignReason = 'ForeignChild';

export interface ForeignChildrenReport {
  readonly object: KubernetesObject;
  readonly errors: readonly EvenkeelError[];
  /** The conditions of the object's status. Undefined if its kind has none. */
  readonly conditions: ConditionSet | undefined;
  /** Whether the run succeeded. */
  readonly succeeded: boolean;
  readonly recorder: EventRecorder;
}

/**
 * Reports the foreign objects that have the names of children: by a Warning Event for each, and by a condition that the next
 * successful run removes. The recorder combines the Events of retries into a series.
 */
export function reportForeignChildren({
  object,
  errors,
  conditions,
  succeeded,
  recorder,
}: ForeignChildrenReport): void {
  for (const { message } of errors) recorder.warning(object, foreignReason, message);
  if (errors.length > 0) {
    const message = errors.map((error) => error.message).join('\n');
    conditions?.set(childrenOwnedCondition, false, foreignReason, message);
  } else if (succeeded && conditions?.get(childrenOwnedCondition)?.reason === foreignReason) {
    conditions.remove(childrenOwnedCondition);
  }
}
