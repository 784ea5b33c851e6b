import type { ObjectKey } from '@evenkeel/core';
import type { ReconcileRun } from '@evenkeel/runtime';

/** The last run of each object in each controller of its kind. */
export class LastRuns {
  /** By object, then by controller. */
  readonly #runs = new Map<string, Map<string, ReconcileRun>>();

  note(run: ReconcileRun): void {
    const id = idOf(run.kind, run.key);
    if (run.outcome === 'gone') {
      this.#runs.delete(id);
      return;
    }
    const byController = this.#runs.get(id) ?? new Map<string, ReconcileRun>();
    byController.set(run.controller, run);
    this.#runs.set(id, byController);
  }

  of(kind: string, key: ObjectKey): readonly ReconcileRun[] {
    return [...(this.#runs.get(idOf(kind, key))?.values() ?? [])];
  }
}

function idOf(kind: string, key: ObjectKey): string {
  return `${kind} ${key}`;
}
