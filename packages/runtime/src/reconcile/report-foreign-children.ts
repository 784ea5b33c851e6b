import type { EvenkeelError, KubernetesObject } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { ConditionSet } from './condition-set.ts';

/** The condition of an object whose children cannot be applied because their names are taken. */
export const childrenOwnedCondition = 'ChildrenOwned';
/** Its reason, and that of the Event. A condition with another reason is somebody else's, and is left alone. */
const foreignReason = 'ForeignChild';

export interface ForeignChildrenReport {
  readonly object: KubernetesObject;
  readonly errors: readonly EvenkeelError[];
  /** Those of the object's status; undefined where its kind has none. */
  readonly conditions: ConditionSet | undefined;
  /** Whether the run applied all that it meant to. */
  readonly succeeded: boolean;
  readonly recorder: EventRecorder;
}

/**
 * Reports the objects that a run met under the names of children: by a Warning Event each, and by a condition that the next
 * successful run removes. A recorder makes one series of the Events of retries.
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
