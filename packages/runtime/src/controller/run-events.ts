import { isForbidden, type KubernetesObject, type StatusError } from '@evenkeel/core';
import type { EventRecorder } from '../event/event-recorder.ts';
import type { LoopFinding, ReconcileRun } from '../reconcile/reconcile-run.ts';

/** Who may change roles reads Events, and no log of the operator. */
export function reportRefusal(
  { error }: ReconcileRun,
  object: KubernetesObject | undefined,
  recorder: EventRecorder,
): void {
  if (object !== undefined && isForbidden(error)) recorder.warning(object, 'Forbidden', (error as StatusError).message);
}

/** Records a Warning Event about a reconcile that causes itself. */
export function reportLoop(finding: LoopFinding, object: KubernetesObject | undefined, recorder: EventRecorder): void {
  if (object !== undefined) recorder.warning(object, 'ReconcileLoop', describeLoop(finding));
}

/** What an Event says of a reconcile that causes itself. */
export function describeLoop(finding: Pick<LoopFinding, 'object' | 'path'>): string {
  return `Its reconcile ${deedOf(finding)} again and again, each time because of what it wrote before; it is slowed down. Another controller may want another value, or the value may be new each time.`;
}

/** In the place of a field stands what became of a whole object, or nothing where that is not known. */
function deedOf({ object, path }: Pick<LoopFinding, 'object' | 'path'>): string {
  if (path === 'created') return `creates ${object}`;
  if (path === 'deleted') return `deletes ${object}`;
  return path === '' ? `writes ${object}` : `writes ${path} of ${object}`;
}
