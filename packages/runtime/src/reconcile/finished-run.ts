import { describeRun } from './describe-run.ts';
import type { ReconcileRun } from './reconcile-run.ts';

class FinishedRun {
  constructor(run: ReconcileRun) {
    Object.assign(this, run);
  }

  toString(this: ReconcileRun): string {
    const { text, aside } = describeRun(this);
    return `${text} (${aside})`;
  }
}

/** Adds the description of a run as its `toString()`. It is computed only when it is called. */
export function finishedRun(run: ReconcileRun): ReconcileRun {
  return new FinishedRun(run) as unknown as ReconcileRun;
}
