import { EvenkeelError, isForbidden, type KubernetesObject, type StatusError } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { LoopFinding, ReconcileRun } from '../reconcile/reconcile-run.ts';

/** Recorded as an Event, because users who may change roles read Events but not the operator's log. */
export function reportRefusal(
  { error }: ReconcileRun,
  object: KubernetesObject | undefined,
  recorder: EventRecorder,
): void {
  if (object === undefined) return;
  if (isForbidden(error)) recorder.warning(object, 'Forbidden', (error as StatusError).message);
  if (error instanceof EvenkeelError && error.code === 'lossy-writes') {
    recorder.warning(object, 'LossyWrites', error.message);
  }
}

/** Records a Warning Event about a reconcile that triggers itself. */
export function reportLoop(finding: LoopFinding, object: KubernetesObject | undefined, recorder: EventRecorder): void {
  if (object !== undefined) recorder.warning(object, 'ReconcileLoop', describeLoop(finding));
}

/** The message of the Event about a reconcile that triggers itself. */
export function describeLoop(finding: Pick<LoopFinding, 'object' | 'path'>): string {
  return `Its reconcile ${actionOf(finding)} repeatedly, each time triggered by its own previous write. Evenkeel slows it down. Another controller may set another value, or the value may be different in each run.`;
}

/** The path may also be `created` or `deleted` for a whole object, or empty if it is unknown. */
function actionOf({ object, path }: Pick<LoopFinding, 'object' | 'path'>): string {
  if (path === 'created') return `creates ${object}`;
  if (path === 'deleted') return `deletes ${object}`;
  return path === '' ? `writes ${object}` : `writes ${path} of ${object}`;
}
