import type { ObjectKey } from '@evenkeel/core';
import type { RunSummary } from './run-summary.ts';

/** The last run of each object in each controller of its kind. */
export class LastRuns {
  /** By object, then by controller. */
  readonly #runs = new Map<string, Map<string, RunSummary>>();

  note(run: RunSummary): void {
    const id = idOf(run.kind, run.key);
    if (run.outcome === 'gone') {
      this.#runs.delete(id);
      return;
    }
    const byController = this.#runs.get(id) ?? new Map<string, RunSummary>();
    byController.set(run.controller, run);
    this.#runs.set(id, byController);
  }

  of(kind: string, key: ObjectKey): readonly RunSummary[] {
    return [...(this.#runs.get(idOf(kind, key))?.values() ?? [])];
  }
}

function idOf(kind: string, key: ObjectKey | string): string {
  return `${kind} ${key}`;
}
